# cmake --install, find_package(writhe) and the Debian package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS writhe EXPORT writheTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS writhe-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/writhe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(EXISTS ${PROJECT_SOURCE_DIR}/scenes)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/writhe)
endif()
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/writhe)
install(EXPORT writheTargets NAMESPACE writhe:: DESTINATION ${config_folder})
configure_package_config_file(cmake/writheConfig.cmake.in ${PROJECT_BINARY_DIR}/generated/writheConfig.cmake
                              INSTALL_DESTINATION ${config_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/writheConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/writheConfig.cmake ${PROJECT_BINARY_DIR}/generated/writheConfigVersion.cmake
        DESTINATION ${config_folder})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME writhe)
set(CPACK_PACKAGE_VENDOR "The Writhe authors")
set(CPACK_PACKAGE_CONTACT "The Writhe authors <writhe@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of elastic rods and nets of rods")
set(CPACK_PACKAGE_DESCRIPTION
    "Writhe simulates elastic rods, rings and nets of rods, with real materials and units.\n\
One scene file runs on several methods of published accuracy and cost. The\n\
package holds the program, its scenes, and the library with its headers.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libtbb-dev, libfmt-dev, libyaml-cpp-dev, libhwy-dev, zlib1g-dev")
include(CPack)
