// What the papers show, figure by figure and table by table, and which experiments show it here: experiments/papers.json.
#pragma once

#include <string>
#include <vector>

namespace writhe::study {

struct PaperItem {
  std::string id;     // "pd:fig4", as Experiment::items has it
  std::string label;  // "Fig. 4"
  std::string kind;   // "figure" or "table"
  std::string shows;
  std::vector<std::string> needs;  // what Writhe would have to have for all of it
  bool measurable = true;          // false for a sketch of notation or of a data structure
  std::string note;
};

struct Paper {
  std::string id, short_name, authors, title, where;
  int year = 0;
  std::vector<PaperItem> items;
};

// As built into the program.
std::vector<Paper> all_papers();

}  // namespace writhe::study
