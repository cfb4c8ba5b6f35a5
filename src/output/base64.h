// Base64 (RFC 4648, section 4): bytes as text.
#pragma once

#include <string>
#include <string_view>

namespace writhe::output {

// Appends to `out`, with padding and without line ends.
void append_base64(std::string_view bytes, std::string& out);

}  // namespace writhe::output
