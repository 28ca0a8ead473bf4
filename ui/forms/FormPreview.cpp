// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/FormPreview.h"

#include "forms/DataPreview.h"
#include "forms/GeneratorPreview.h"
#include "forms/LawPreview.h"

namespace trainyard {

FormPreview* makeFormPreview(const FieldInfo& field, EntityRef::Kind kind, const ResourcePaths& resources) {
    using Kind = EntityRef::Kind;
    if (field.key == "dataset" && field.kind == FieldInfo::Kind::choice) return new DataPreview(resources);
    if (kind == Kind::machine && field.type == "distribution" && field.present) return new LawPreview(field.path);
    if (kind != Kind::generator) return nullptr;
    if (field.path == "/start_s") return new ArrivalsPreview;
    if (field.path == "/pool/probabilities") return new SizesPreview(poolDeadlines);
    if (field.path.starts_with("/draws/") && field.type == "distribution" && field.present)
        return new SizesPreview(field.key);
    return nullptr;
}

} // namespace trainyard
