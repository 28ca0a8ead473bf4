// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/ExportWork.h"

#include "export/AlikeProblems.h"
#include "export/FigureFiles.h"
#include "export/FigureSource.h"
#include "export/FileWords.h"
#include "run/files/AtomicFile.h"
#include "run/files/RunFiles.h"
#include "session/Provenance.h"

#include <QImage>
#include <QPainter>
#include <QPicture>

#include <algorithm>
#include <array>

namespace trainyard {

namespace export_work {

/// How long a table will be is not known beforehand: its part of the progress is come near to.
constexpr double tableShare = 0.9, tablePiece = 0.01;

class Writer {
public:
    Writer(FigureSource& source, const RunProvenance& provenance, const ExportOptions& options, const LaneSource& lanes,
           const ExportControl& control)
        : m_source(source), m_options(options), m_lanes(lanes), m_control(control),
          m_directory(bytesOf(options.directory)), m_provenance(provenanceLine(provenance)),
          m_above(provenanceAbove(provenance)), m_below(provenanceBelow(provenance)),
          m_footer(provenanceFooter(provenance)) {}

    ExportResult run(const std::vector<ExportView>& views, const QStringList& formats) {
        m_files = static_cast<double>(views.size()) * static_cast<double>(formats.size());
        for (const ExportView& view : views) {
            m_source.prepareView(view);
            if ((m_options.views.isEmpty() || m_options.leaveOutEmpty) && isEmpty(view)) {
                m_done += static_cast<double>(formats.size());
                continue;
            }
            m_pictures.fill(QPicture());
            for (const QString& format : formats) {
                if (!goOn(0)) return m_result;
                write(view, format);
                ++m_done;
            }
        }
        goOn(0);
        return m_result;
    }

private:
    /// Says how far it is, with a part of the file in hand.
    bool goOn(double part) {
        if (!m_result.cancelled && !m_control.progress(std::min(1.0, (m_done + part) / m_files)))
            m_result.cancelled = true;
        return !m_result.cancelled;
    }

    bool isEmpty(const ExportView& view) {
        bool empty = false;
        m_control.paint([&] { empty = m_source.isEmpty(view, m_lanes); });
        return empty;
    }

    /// Shapes of the view, painted once; those for a screen's pixels are others than those for finer ones.
    const QPicture& picture(const ExportView& view, bool vector) {
        QPicture& picture = m_pictures[vector ? 1 : 0];
        if (picture.isNull())
            m_control.paint([&] {
                QPainter painter(&picture);
                m_source.paint(painter, view, m_lanes, m_footer, vector);
            });
        return picture;
    }

    void write(const ExportView& view, const QString& format) {
        const std::filesystem::path path = m_options.file.isEmpty()
                                               ? m_directory / (view.id + QLatin1Char('.') + format).toStdString()
                                               : std::filesystem::path(bytesOf(m_options.file));
        if (format == QLatin1String("csv")) {
            writeTable(view, path);
            return;
        }
        const bool vector = format != QLatin1String("png") || m_options.dotsPerInch != 96;
        const QPicture shapes = picture(view, vector);
        const DrawFigure draw = [&shapes](QPainter& painter) { drawShapes(painter, shapes); };
        FigureText text{{}, m_provenance};
        m_control.paint([&] { text.title = m_source.titleOf(view, m_lanes); });
        const QSizeF size = m_source.sizeOf(view);
        QByteArray bytes;
        if (format == QLatin1String("svg"))
            bytes = svgFigure(size, text, draw);
        else if (format == QLatin1String("pdf"))
            bytes = pdfFigure(size, text, draw);
        else
            bytes = pngFile(rasterFigure(size, m_options.dotsPerInch, draw), text);
        if (!goOn(0.5)) return;
        if (bytes.isEmpty()) {
            m_result.problems.push_back(
                {.code = "figure-too-large",
                 .message = {TRAINYARD_TEXT("a picture this large does not fit into memory: choose fewer dots "
                                            "per inch or a smaller size"),
                             {}},
                 .file = path.string()});
            return;
        }
        AtomicFile file(path);
        file.write(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        commit(file, path);
    }

    void writeTable(const ExportView& view, const std::filesystem::path& path) {
        AtomicFile file(path);
        double part = 0;
        {
            CsvRows rows([&](std::string_view text) {
                file.write(text);
                part += (tableShare - part) * tablePiece;
                return !file.failed() && goOn(part);
            });
            rows.text(m_above);
            m_source.writeTable(rows, view, m_lanes, m_control.paint);
            rows.text(m_below);
        }
        if (!m_result.cancelled) commit(file, path);
    }

    void commit(AtomicFile& file, const std::filesystem::path& path) {
        std::error_code ignored;
        const bool replaces = std::filesystem::exists(path, ignored);
        const Problems problems = file.commit();
        m_result.problems.insert(m_result.problems.end(), problems.begin(), problems.end());
        if (hasErrors(problems)) return;
        m_result.files << wordOf(path.string());
        m_result.replaced += replaces;
    }

    FigureSource& m_source;
    const ExportOptions& m_options;
    const LaneSource& m_lanes;
    const ExportControl& m_control;
    std::filesystem::path m_directory;
    QByteArray m_provenance;
    std::string m_above, m_below; ///< comments of tables
    QString m_footer;
    std::array<QPicture, 2> m_pictures;
    double m_done = 0, m_files = 1;
    ExportResult m_result;
};

} // namespace export_work

const QStringList& exportFormats() {
    static const QStringList formats{QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png"),
                                     QStringLiteral("csv")};
    return formats;
}

Problems whyNoExport(const RunData& run) {
    if (run.log && run.workload) return {};
    return {{.code = "nothing-has-run",
             .message = {TRAINYARD_TEXT("there is no run to export yet: press play first"), {}}}};
}

ExportResult exportRun(const RunData& run, const ExportOptions& options, const LaneSource& lanes,
                       const ExportControl& control) {
    if (Problems nothing = whyNoExport(run); !nothing.empty()) {
        ExportResult result;
        result.problems = std::move(nothing);
        return result;
    }
    return exportFigures(run, provenanceOf(run), options, lanes, control);
}

ExportResult exportInto(const std::string& directory, const std::string& digest,
                        const std::function<ExportResult()>& work) {
    namespace fs = std::filesystem;
    const fs::path parent = fs::path(directory).has_parent_path() ? fs::path(directory).parent_path() : ".";
    std::error_code none;
    const bool isPictures = fs::path(directory).filename() == picturesFolder && fs::exists(parent / runFilesName, none);
    const fs::path record = isPictures ? parent : fs::path(directory);
    const std::string prefix = isPictures ? std::string(picturesFolder) + "/" : std::string();
    ExportResult result;
    result.problems = listRunFiles(record, {}, digest);
    const bool isOthers = !result.problems.empty() && result.problems.front().code == "other-record";
    if (!isOthers) result.problems = probeDirectory(directory);
    if (hasErrors(result.problems)) return result;
    result = work();
    std::vector<std::string> names; // of what lies in the directory itself; the list can only hold UTF-8
    for (const QString& file : result.files) {
        const fs::path path = bytesOf(file), folder = path.has_parent_path() ? path.parent_path() : ".";
        if (fs::equivalent(folder, directory, none) && readableWord(file) == file)
            names.push_back(prefix + path.filename().string());
    }
    const Problems unlisted = names.empty() ? Problems{} : listRunFiles(record, names, digest);
    result.problems.insert(result.problems.end(), unlisted.begin(), unlisted.end());
    return result;
}

namespace export_work {

ExportResult writeFigures(const RunData& run, const RunProvenance& provenance, const ExportOptions& options,
                          const LaneSource& lanes, const ExportControl& control) {
    const LaneSource source = lanes ? lanes : standardLanes(options.viewOptions);
    const bool isOneView = !options.file.isEmpty(); // with its options, which the lane of its name does not have
    std::vector<ExportView> views;
    control.paint(
        [&] { views = exportViews(isOneView ? LaneSource([] { return std::vector<LaneView>(); }) : source); });
    FigureSource figures(run, options, [&] { return control.progress(0); });
    std::erase_if(views, [&](const ExportView& view) {
        return options.views.isEmpty() ? !figures.concerns(view) : !options.views.contains(view.id);
    });
    QStringList formats = exportFormats();
    if (!options.formats.isEmpty())
        formats.removeIf([&](const QString& format) { return !options.formats.contains(format); });
    Writer writer(figures, provenance, options, source, control);
    ExportResult result = writer.run(views, formats);
    result.problems = bundled(result.problems, bytesOf(options.directory));
    return result;
}

} // namespace export_work

ExportResult exportFigures(const RunData& run, const RunProvenance& provenance, const ExportOptions& options,
                           const LaneSource& lanes, const ExportControl& control) {
    return exportInto(bytesOf(options.directory), provenance.digest,
                      [&] { return export_work::writeFigures(run, provenance, options, lanes, control); });
}

} // namespace trainyard
