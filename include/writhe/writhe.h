// Everything a user of the library needs.
#pragma once

#include "writhe/error.h"
#include "writhe/load.h"
#include "writhe/model.h"
#include "writhe/reaction.h"
#include "writhe/scene.h"
#include "writhe/simulation.h"
#include "writhe/state.h"
#include "writhe/statics.h"
#include "writhe/step_report.h"
#include "writhe/vec.h"
