// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/ShippedGraphs.h"

#include <algorithm>
#include <cstdint>

namespace trainyard {

namespace shipped_graphs {

using Op = std::uint32_t;
constexpr double bytesPerNumber = 4;

/// Adds operations one by one; shapes are channels × height × width of a sample.
class Profile {
public:
    Profile(int batch, const ProfileDevice& device, int channels, int height, int width)
        : m_batch(batch), m_device(device), m_input{channels, height, width} {}

    /// Convolution, with what is computed in place after it: bias or batch normalization, and the rectifier.
    Op conv(std::vector<Op> from, int channels, int kernel, int stride, int pad, bool normalized = false) {
        return conv(std::move(from), channels, kernel, kernel, stride, pad, pad, normalized);
    }
    Op conv(std::vector<Op> from, int channels, int kernelHigh, int kernelWide, int stride, int padHigh, int padWide,
            bool normalized) {
        const Shape in = shapeOf(from);
        const Shape out{channels, (in.height + 2 * padHigh - kernelHigh) / stride + 1,
                        (in.width + 2 * padWide - kernelWide) / stride + 1};
        const double weights = double(kernelHigh) * kernelWide * in.channels * channels;
        return add("conv", std::move(from), out, 2 * weights * out.height * out.width,
                   weights + (normalized ? 2 : 1) * channels);
    }
    /// Rounded up where `ceil`.
    Op pool(std::vector<Op> from, int kernel, int stride, int pad = 0, bool ceil = false) {
        const Shape in = shapeOf(from);
        const auto side = [&](int n) { return (n + 2 * pad - kernel + (ceil ? stride - 1 : 0)) / stride + 1; };
        const Shape out{in.channels, side(in.height), side(in.width)};
        return add("pool", std::move(from), out, double(kernel) * kernel * out.size(), 0);
    }
    /// To a side of so many, whatever the shape before.
    Op averageTo(std::vector<Op> from, int side) {
        const Shape in = shapeOf(from);
        return add("average", std::move(from), {in.channels, side, side}, in.size(), 0);
    }
    Op dense(std::vector<Op> from, int outputs) {
        const Shape in = shapeOf(from);
        return add("dense", std::move(from), {outputs, 1, 1}, 2 * in.size() * outputs, in.size() * outputs + outputs);
    }
    /// Sum of equal shapes.
    Op sum(std::vector<Op> from) {
        const Shape in = m_shapes[from.front()];
        return add("sum", std::move(from), in, in.size(), 0);
    }
    /// Anything else: FLOP per sample, parameters, and so many launches one after another.
    Op any(const char* name, std::vector<Op> from, int channels, int height, double flop, double parameters,
           int launches = 1) {
        return add(name, std::move(from), {channels, height, 1}, flop, parameters, launches);
    }
    ComputationGraph take() { return std::move(m_graph); }

private:
    struct Shape {
        int channels = 0, height = 0, width = 0;
        double size() const { return double(channels) * height * width; }
    };

    /// Several are joined along their channels.
    Shape shapeOf(const std::vector<Op>& from) const {
        if (from.empty()) return m_input;
        Shape shape = m_shapes[from.front()];
        for (std::size_t i = 1; i < from.size(); ++i) shape.channels += m_shapes[from[i]].channels;
        return shape;
    }

    Op add(const char* name, std::vector<Op> from, Shape out, double flop, double parameters, int launches = 1) {
        const auto op = static_cast<Op>(m_graph.operations.size());
        double read = from.empty() ? m_input.size() : 0;
        for (const Op f : from) {
            read += m_shapes[f].size();
            m_graph.dependencies.push_back({f, op});
        }
        const double bytes = bytesPerNumber * (m_batch * (read + out.size()) + parameters);
        const auto seconds = [&](double times) {
            return std::max(times * m_batch * flop / m_device.flopsPerSecond, times * bytes / m_device.bytesPerSecond) +
                   launches * m_device.launchSeconds;
        };
        m_graph.operations.push_back({std::string(name) + std::to_string(op + 1), seconds(1), seconds(2),
                                      bytesPerNumber * m_batch * out.size(), bytesPerNumber * parameters});
        m_shapes.push_back(out);
        return op;
    }

    int m_batch;
    ProfileDevice m_device;
    Shape m_input;
    ComputationGraph m_graph;
    std::vector<Shape> m_shapes; ///< what each operation gives
};

ComputationGraph alexnet(int batch, const ProfileDevice& device) {
    Profile p(batch, device, 3, 224, 224);
    Op x = p.pool({p.conv({}, 64, 11, 4, 2)}, 3, 2);
    x = p.pool({p.conv({x}, 192, 5, 1, 2)}, 3, 2);
    x = p.conv({p.conv({p.conv({x}, 384, 3, 1, 1)}, 256, 3, 1, 1)}, 256, 3, 1, 1);
    x = p.averageTo({p.pool({x}, 3, 2)}, 6);
    p.dense({p.dense({p.dense({x}, 4096)}, 4096)}, 1000);
    return p.take();
}

ComputationGraph vgg16(int batch, const ProfileDevice& device) {
    Profile p(batch, device, 3, 224, 224);
    Op x = p.conv({}, 64, 3, 1, 1);
    x = p.pool({p.conv({x}, 64, 3, 1, 1)}, 2, 2);
    for (const auto& [channels, layers] : {std::pair{128, 2}, {256, 3}, {512, 3}, {512, 3}}) {
        for (int l = 0; l < layers; ++l) x = p.conv({x}, channels, 3, 1, 1);
        x = p.pool({x}, 2, 2);
    }
    p.dense({p.dense({p.dense({x}, 4096)}, 4096)}, 1000);
    return p.take();
}

/// Basic blocks (18) or bottlenecks (50) in four stages.
ComputationGraph resnet(int batch, const ProfileDevice& device, const std::vector<int>& blocks, bool bottlenecks) {
    Profile p(batch, device, 3, 224, 224);
    Op x = p.pool({p.conv({}, 64, 7, 2, 3, true)}, 3, 2, 1);
    int channels = 64, before = 64;
    for (std::size_t stage = 0; stage < blocks.size(); ++stage, channels *= 2)
        for (int b = 0; b < blocks[stage]; ++b) {
            const int stride = stage > 0 && b == 0 ? 2 : 1, out = bottlenecks ? 4 * channels : channels;
            Op y = bottlenecks ? p.conv({x}, channels, 1, 1, 0, true) : p.conv({x}, channels, 3, stride, 1, true);
            y = p.conv({y}, channels, 3, bottlenecks ? stride : 1, 1, true);
            if (bottlenecks) y = p.conv({y}, out, 1, 1, 0, true);
            const Op skip = stride > 1 || before != out ? p.conv({x}, out, 1, stride, 0, true) : x;
            x = p.sum({y, skip});
            before = out;
        }
    p.dense({p.averageTo({x}, 1)}, 1000);
    return p.take();
}

ComputationGraph resnet18(int batch, const ProfileDevice& device) { return resnet(batch, device, {2, 2, 2, 2}, false); }
ComputationGraph resnet50(int batch, const ProfileDevice& device) { return resnet(batch, device, {3, 4, 6, 3}, true); }

ComputationGraph squeezenet(int batch, const ProfileDevice& device) {
    Profile p(batch, device, 3, 224, 224);
    std::vector<Op> x{p.pool({p.conv({}, 96, 7, 2, 0)}, 3, 2, 0, true)};
    const auto fire = [&](int squeeze, int expand) {
        const Op s = p.conv(x, squeeze, 1, 1, 0);
        x = {p.conv({s}, expand, 1, 1, 0), p.conv({s}, expand, 3, 1, 1)};
    };
    fire(16, 64), fire(16, 64), fire(32, 128);
    const auto shrink = [&] { // pooling each half by itself is pooling both
        for (Op& half : x) half = p.pool({half}, 3, 2, 0, true);
    };
    shrink();
    fire(32, 128), fire(48, 192), fire(48, 192), fire(64, 256);
    shrink();
    fire(64, 256);
    p.averageTo({p.conv(x, 1000, 1, 1, 0)}, 1);
    return p.take();
}

/// A sequence of `steps` tokens as height, its width in channels.
ComputationGraph gnmt(int batch, const ProfileDevice& device) {
    constexpr int width = 1024, words = 32'320, steps = 50;
    Profile p(batch, device, steps, 1, 1); // tokens
    const auto lstm = [&](std::vector<Op> from, int inputs, int outputs) {
        const double cells = 4.0 * (inputs + outputs) * outputs;
        return p.any("lstm", std::move(from), outputs, steps, 2 * cells * steps, cells + 8.0 * outputs, steps);
    };
    const auto embedding = [&] {
        return p.any("embedding", {}, width, steps, double(steps) * width, double(words) * width);
    };
    const auto residual = [&](Op x, Op y) { return p.any("sum", {x, y}, width, steps, double(steps) * width, 0); };
    // Encoder: one layer both ways, three more; decoder: one layer, attention, three more that read it.
    const Op source = embedding();
    Op x = p.any("join", {lstm({source}, width, width), lstm({source}, width, width)}, 2 * width, steps, 0, 0);
    x = lstm({x}, 2 * width, width);
    for (int l = 0; l < 2; ++l) x = residual(lstm({x}, width, width), x);
    Op y = lstm({embedding()}, width, width);
    const Op attention =
        p.any("attention", {y, x}, width, steps, 2.0 * steps * (2.0 * width * width + 2.0 * steps * width),
              2.0 * width * width + width, steps);
    y = lstm({y, attention}, 2 * width, width);
    for (int l = 0; l < 2; ++l) y = residual(lstm({y, attention}, 2 * width, width), y);
    p.any("projection", {y}, words, steps, 2.0 * steps * width * words, double(width) * words + words);
    return p.take();
}

ComputationGraph transformer(int batch, const ProfileDevice& device) {
    constexpr int width = 768, inner = 3072, words = 30'522, steps = 128, layers = 12;
    Profile p(batch, device, steps, 1, 1);
    const auto dense = [&](std::vector<Op> from, int inputs, int outputs) {
        return p.any("dense", std::move(from), outputs, steps, 2.0 * steps * inputs * outputs,
                     double(inputs) * outputs + outputs);
    };
    const auto normalized = [&](Op x, Op y) {
        return p.any("norm", {x, y}, width, steps, 8.0 * steps * width, 2.0 * width);
    };
    Op x = p.any("embedding", {}, width, steps, double(steps) * width, double(words) * width);
    for (int l = 0; l < layers; ++l) {
        const Op q = dense({x}, width, width), k = dense({x}, width, width), v = dense({x}, width, width);
        const Op mixed = p.any("attention", {q, k, v}, width, steps, 4.0 * steps * steps * width, 0, 3);
        x = normalized(dense({mixed}, width, width), x);
        x = normalized(dense({dense({x}, width, inner)}, inner, width), x);
    }
    return p.take();
}

ComputationGraph mlp(int batch, const ProfileDevice& device) {
    Profile p(batch, device, 784, 1, 1);
    p.dense({p.dense({p.dense({p.dense({}, 4096)}, 4096)}, 4096)}, 10);
    return p.take();
}

} // namespace shipped_graphs

const std::vector<ShippedGraph>& shippedGraphs() {
    using namespace shipped_graphs;
    static const std::vector<ShippedGraph> all{
        {"alexnet", "AlexNet", "Krizhevsky, One weird trick for parallelizing convolutional neural networks, 2014",
         1024, alexnet},
        {"vgg16", "VGG-16", "Simonyan and Zisserman, ICLR 2015, table 1 D", 64, vgg16},
        {"resnet18", "ResNet-18", "He, Zhang, Ren and Sun, CVPR 2016, table 1", 512, resnet18},
        {"resnet50", "ResNet-50", "He, Zhang, Ren and Sun, CVPR 2016, table 1", 256, resnet50},
        {"squeezenet", "SqueezeNet 1.0", "Iandola et al., SqueezeNet, 2016, table 1", 1024, squeezenet},
        {"gnmt", "LSTM encoder and decoder with attention, as GNMT with four layers",
         "Wu et al., Google's neural machine translation system, 2016", 128, gnmt},
        {"transformer", "Transformer encoder of 12 layers",
         "Vaswani et al., NIPS 2017; sizes of Devlin et al., BERT base, 2019", 96, transformer},
        {"mlp", "Multilayer perceptron of 784-4096-4096-4096-10", "a plain one", 16384, mlp}};
    return all;
}

const ShippedGraph* findShippedGraph(const std::string& id) {
    const auto at = std::ranges::find(shippedGraphs(), id, &ShippedGraph::id);
    return at == shippedGraphs().end() ? nullptr : &*at;
}

} // namespace trainyard
