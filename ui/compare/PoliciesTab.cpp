#include "compare/PoliciesTab.h"

namespace trainyard {

PoliciesTab::PoliciesTab(Workspace&, QWidget* parent) : QWidget(parent) {}

} // namespace trainyard
