// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Fashion-MNIST (Xiao, Rasul, Vollgraf 2017; MIT licence), not shipped but read where Debian's package puts
// it, or from resources/data/fashion-mnist. IDX files, plain or gzip. Kept as bytes: 60,000 images would be
// 376 MB of doubles.
#include "learning/data/DataEntry.h"

#include <zlib.h>

#include <array>
#include <cmath>

namespace trainyard {

namespace fashion_mnist {

constexpr std::size_t pixels = 28 * 28;

struct Params {
    int rows = 10000;
    bool standardise = true;
};

class FashionMnist final : public DataSet {
public:
    /// `value` is what a grey value stands for.
    FashionMnist(std::vector<unsigned char> images, std::vector<unsigned char> labels,
                 const std::array<double, 256>& value)
        : m_images(std::move(images)), m_labels(std::move(labels)), m_value(value) {}

    std::size_t rows() const override { return m_labels.size(); }
    std::size_t features() const override { return pixels; }
    int classes() const override { return 10; }
    void gather(std::span<const std::uint32_t> rows, Batch& out) const override {
        out.features = pixels;
        out.x.reserve((out.rows + rows.size()) * pixels);
        for (std::uint32_t row : rows) {
            require(row < m_labels.size(), "a row beyond the data set was requested");
            for (std::size_t j = 0; j < pixels; ++j) out.x.push_back(m_value[m_images[row * pixels + j]]);
            out.y.push_back(m_labels[row]);
        }
        out.rows += rows.size();
    }
    void draw(RandomStream&, std::size_t, Batch&) const override {
        throw InvariantError("fresh rows were requested from a stored data set");
    }

private:
    std::vector<unsigned char> m_images, m_labels;
    std::array<double, 256> m_value;
};

Problem damaged(const std::filesystem::path& file, Text message) {
    return {.code = "damaged-data", .message = std::move(message), .file = file.string()};
}

/// The first `count` items of an IDX file of unsigned bytes with these dimensions per item.
Result<std::vector<unsigned char>> readIdx(const std::filesystem::path& file, std::size_t count,
                                           const std::vector<std::uint32_t>& itemShape) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
    if (!in)
        return damaged(
            file, {TRAINYARD_TEXT("the file cannot be opened; install the package dataset-fashion-mnist again"), {}});
    const auto read = [&](unsigned char* to, std::size_t n) {
        return gzread(in.get(), to, static_cast<unsigned>(n)) == static_cast<int>(n);
    };
    const auto number = [&]() -> std::optional<std::uint32_t> {
        unsigned char b[4];
        if (!read(b, 4)) return std::nullopt;
        return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
    };
    const std::uint32_t magic = 0x0800 | static_cast<std::uint32_t>(1 + itemShape.size());
    if (number() != magic)
        return damaged(file, {TRAINYARD_TEXT("this is not an IDX file of bytes with {0} dimensions"),
                              {std::to_string(1 + itemShape.size())}});
    const auto items = number();
    std::size_t size = count;
    for (std::uint32_t extent : itemShape) {
        if (number() != extent) return damaged(file, {TRAINYARD_TEXT("the images are not 28 × 28 pixels"), {}});
        size *= extent;
    }
    if (!items || *items < count)
        return damaged(file, {TRAINYARD_TEXT("it has {0} items, but \"rows\" requests {1}"),
                              {std::to_string(items.value_or(0)), std::to_string(count)}});
    std::vector<unsigned char> out(size);
    if (!read(out.data(), size))
        return damaged(
            file,
            {TRAINYARD_TEXT("the file ends early or is damaged; install the package dataset-fashion-mnist again"), {}});
    return out;
}

/// The file in one of the places it may be, plain or gzip.
Result<std::filesystem::path> locate(const ResourcePaths& paths, const std::string& name) {
    const std::filesystem::path debian = "/usr/share/datasets/fashion-mnist", own = paths.root / "data/fashion-mnist";
    for (const auto& folder : {own, debian})
        for (const auto& file : {folder / name, folder / (name + ".gz")}) {
            std::error_code ignored;
            if (std::filesystem::exists(file, ignored)) return file;
        }
    return Problem{
        .code = "missing-data",
        .message = {TRAINYARD_TEXT("the file is not there; install the package dataset-fashion-mnist (apt install "
                                   "dataset-fashion-mnist), or put the four files into {0}"),
                    {own.string()}},
        .file = (debian / (name + ".gz")).string()};
}

/// One mean and one deviation for all pixels: each for itself would blow up the rarely used corners.
std::array<double, 256> valuesOf(const std::vector<unsigned char>& images, bool standardise) {
    double sum = 0, squares = 0;
    for (unsigned char b : images) {
        sum += b;
        squares += double(b) * b;
    }
    const auto n = static_cast<double>(images.size());
    const double mean = standardise ? sum / n : 0, variance = squares / n - mean * mean;
    const double scale = standardise ? (variance > 0 ? 1 / std::sqrt(variance) : 0) : 1.0 / 255;
    std::array<double, 256> out{};
    for (std::size_t b = 0; b < 256; ++b) out[b] = (static_cast<double>(b) - mean) * scale;
    return out;
}

Result<std::shared_ptr<const DataSet>> load(const Params& p, std::uint64_t, const ResourcePaths& paths) {
    const auto imageFile = locate(paths, "train-images-idx3-ubyte"),
               labelFile = locate(paths, "train-labels-idx1-ubyte");
    if (!imageFile) return imageFile.problems();
    if (!labelFile) return labelFile.problems();
    const auto count = static_cast<std::size_t>(p.rows);
    auto images = readIdx(*imageFile, count, {28, 28});
    if (!images) return images.problems();
    auto labels = readIdx(*labelFile, count, {});
    if (!labels) return labels.problems();
    for (std::size_t i = 0; i < count; ++i)
        if ((*labels)[i] > 9)
            return damaged(*labelFile, {TRAINYARD_TEXT("label {0} is {1}; classes are 0 to 9"),
                                        {std::to_string(i), std::to_string((*labels)[i])}});
    const auto values = valuesOf(*images, p.standardise);
    return {std::make_shared<const FashionMnist>(std::move(images).value(), std::move(labels).value(), values)};
}

} // namespace fashion_mnist

DataEntry fashionMnistEntry() {
    using namespace fashion_mnist;
    return dataEntry<Params>(
        {.id = "fashion-mnist",
         .label = "Fashion-MNIST",
         .summary = "Up to 60,000 images of clothes, 28 × 28 grey values, ten classes; needs a package that "
                    "is not shipped.",
         .licence = "MIT",
         .provenance = "Debian package dataset-fashion-mnist; Zalando SE, Xiao, Rasul, Vollgraf 2017, "
                       "arXiv:1708.07747."},
        load,
        field(&Params::rows, "rows", "Rows", {1, 60000}, "", "Number of training images used, from the first on.")
            .logarithmic(),
        flag(&Params::standardise, "standardise", "Standardise",
             "Shift and scale all pixels to mean 0 and variance 1; else grey values run from 0 to 1."));
}

} // namespace trainyard
