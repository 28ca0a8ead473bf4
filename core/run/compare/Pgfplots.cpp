// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Charts of comparisons for LaTeX.
#include "run/compare/ComparisonCharts.h"

#include "base/Format.h"

#include <cmath>

namespace trainyard {

namespace pgfplots {

/// As text, whatever it would command.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\' || c == '^' || c == '~')
            out += c == '\\' ? "\\textbackslash{}" : c == '^' ? "\\textasciicircum{}" : "\\textasciitilde{}";
        else
            out += std::string_view("%&_#${}").find(c) != std::string_view::npos ? std::string{'\\', c}
                                                                                 : std::string(1, c);
    }
    return out;
}

std::string title(const Axis& axis) {
    const std::string text = escaped(axis.title.english());
    return axis.unit.empty() ? text : text + " (" + escaped(axis.unit) + ")";
}

/// Of as many arms as there may be, distinguishable in print.
constexpr const char* colours[] = {"blue", "orange", "teal", "red", "violet", "brown", "cyan", "magenta"};

std::string coordinates(const std::vector<double>& x, const std::vector<double>& y) {
    std::string out = " coordinates {";
    for (std::size_t i = 0; i < x.size() && i < y.size(); ++i)
        out += std::isfinite(x[i]) && std::isfinite(y[i])
                   ? " (" + formatNumber(x[i], 8) + "," + formatNumber(y[i], 8) + ")"
                   : "\n\n";
    return out + " };\n";
}

std::string seriesText(const Series& s) {
    const std::string colour = colours[s.role.index % std::size(colours)];
    std::string out;
    switch (s.kind) {
    case Series::Kind::points:
        return "\\addplot[only marks, mark=*, mark size=" + formatNumber(1.6 * s.weight, 3) + "pt, " + colour + "]" +
               coordinates(s.x, s.y);
    case Series::Kind::steps: out = "const plot, "; [[fallthrough]];
    case Series::Kind::line:
        return "\\addplot[" + out + colour + ", empty line=jump" + (s.dash == Dash::solid ? "" : ", dashed") + "]" +
               coordinates(s.x, s.y);
    case Series::Kind::spans:
        for (const Span& span : s.spans)
            out += "\\draw[fill=" + colour + "!35, draw=" + colour + "] (axis cs:" + formatNumber(span.from, 8) + "," +
                   formatNumber(span.row - 0.3, 6) + ") rectangle (axis cs:" + formatNumber(span.to, 8) + "," +
                   formatNumber(span.row + 0.3, 6) + ");\n";
        return out;
    case Series::Kind::band: {
        std::vector<double> x, y;
        for (std::size_t i = 0; i < s.x.size(); ++i)
            if (std::isfinite(s.y[i])) x.push_back(s.x[i]), y.push_back(s.y[i]);
        for (std::size_t i = s.x.size(); i-- > 0;)
            if (std::isfinite(s.base[i])) x.push_back(s.x[i]), y.push_back(s.base[i]);
        return "\\addplot[draw=none, fill=" + colour + ", fill opacity=0.18, forget plot]" + coordinates(x, y);
    }
    default: return "% " + s.key + " is left out\n";
    }
}

} // namespace pgfplots

std::string pgfplotsText(const Chart& chart) {
    std::string out;
    for (const Plot& plot : chart.plots) {
        out +=
            "\\begin{tikzpicture}\n\\begin{axis}[width=\\linewidth, height=0.6\\linewidth, axis lines=left, xlabel={" +
            pgfplots::title(plot.x) + "}, ylabel={" + pgfplots::title(plot.y) + "}";
        if (plot.y.kind == Axis::Kind::logarithmic) out += ", ymode=log";
        if (plot.x.kind == Axis::Kind::logarithmic) out += ", xmode=log";
        if (plot.y.kind == Axis::Kind::categories) {
            std::string ticks, labels;
            for (std::size_t i = 0; i < plot.y.categories.size(); ++i) {
                ticks += (i ? "," : "") + std::to_string(i);
                labels +=
                    (i ? "," : "") + std::string("{") + pgfplots::escaped(plot.y.categories[i].label.english()) + "}";
            }
            out += ", y dir=reverse, ytick={" + ticks + "}, yticklabels={" + labels +
                   "}, ymin=-0.6, ymax=" + formatNumber(static_cast<double>(plot.y.categories.size()) - 0.4, 4);
        }
        out += "]\n";
        for (const Series& series : plot.series) out += pgfplots::seriesText(series);
        out += "\\end{axis}\n\\end{tikzpicture}\n% " + chart.meaning.english() + "\n";
        if (!chart.caution.empty()) out += "% " + chart.caution.english() + "\n";
    }
    return out;
}

} // namespace trainyard
