/** The compute shaders of training. Each replaces many operations of TensorFlow.js: a step waits for their number, not for arithmetic. */
import { type Shader, THREADS } from "./shader.ts";

/** Loops over the columns of a row, shared between the threads of a workgroup. */
export const eachColumn = (body: string): string =>
  `for (var k = lane; k < uniforms.width && row < uniforms.rows; k = k + ${THREADS}) { let i = row * uniforms.width + k; ${body} }`;

/** Loops over every `uniforms.chunks`th row, from `chunk` on. */
export const eachRow = (body: string): string =>
  `for (var row = chunk; row < uniforms.rows; row = row + uniforms.chunks) { ${body} }`;

export const ROWS = { rows: "i32", width: "i32" } as const;

/** Mean and 1 / deviation of each row of x [rows, width] -> [rows, 2]. */
export const MOMENTS: Shader = {
  name: "Moments",
  inputs: ["x"],
  uniforms: { ...ROWS, eps: "f32" },
  per: "row",
  body: `
    var sum = 0.0;
    ${eachColumn("sum = sum + x[i];")}
    let mean = total(sum) / f32(uniforms.width);
    var squares = 0.0;
    ${eachColumn("let centred = x[i] - mean; squares = squares + centred * centred;")}
    let variance = total(squares) / f32(uniforms.width);
    if (lane == 0 && row < uniforms.rows) {
      result[2 * row] = mean;
      result[2 * row + 1] = inverseSqrt(variance + uniforms.eps);
    }`,
};

const normed = (shift: string): string => `
  let row = index / uniforms.width;
  let column = index - row * uniforms.width;
  result[index] = (x[index] - moments[2 * row]) * moments[2 * row + 1] * gamma[column]${shift};`;

/** gamma x normal(x) + beta: x [rows, width], moments [rows, 2], gamma and beta [width]. */
export const NORM: Shader = {
  name: "Norm",
  inputs: ["x", "moments", "gamma", "beta"],
  uniforms: { width: "i32" },
  per: "element",
  body: normed(" + beta[column]"),
};

export const NORM_WITHOUT_BETA: Shader = {
  name: "NormWithoutBeta",
  inputs: ["x", "moments", "gamma"],
  uniforms: { width: "i32" },
  per: "element",
  body: normed(""),
};

/** The gradient of layer norm for x. */
export const NORM_GRADIENT: Shader = {
  name: "NormGradient",
  inputs: ["x", "moments", "gamma", "dy"],
  uniforms: ROWS,
  per: "row",
  body: `
    let last = min(row, uniforms.rows - 1);
    let mean = moments[2 * last];
    let inverse = moments[2 * last + 1];
    var sum = 0.0;
    var along = 0.0;
    ${eachColumn("let g = dy[i] * gamma[k]; sum = sum + g; along = along + g * (x[i] - mean) * inverse;")}
    let first = total(sum) / f32(uniforms.width);
    let second = total(along) / f32(uniforms.width);
    ${eachColumn("result[i] = inverse * (dy[i] * gamma[k] - first - (x[i] - mean) * inverse * second);")}`,
};

/** Sums over chunks of rows of dy x normal(x) -> [chunks, width]. The gradient of gamma. */
export const NORM_COLUMNS: Shader = {
  name: "NormColumns",
  inputs: ["x", "moments", "dy"],
  uniforms: { ...ROWS, chunks: "i32" },
  per: "element",
  body: `
    let chunk = index / uniforms.width;
    let column = index - chunk * uniforms.width;
    var sum = 0.0;
    ${eachRow("let i = row * uniforms.width + column; sum = sum + dy[i] * (x[i] - moments[2 * row]) * moments[2 * row + 1];")}
    result[index] = sum;`,
};

/** 1 where x is a number, otherwise 0. */
export const EQUALS: Shader = {
  name: "Equals",
  inputs: ["x"],
  uniforms: { number: "f32" },
  per: "element",
  body: "result[index] = select(0.0, 1.0, x[index] == uniforms.number);",
};

/** Phi, by Abramowitz and Stegun 1964, formula 7.1.26: absolute error below 1.5e-7. */
const PHI = `
  fn phi(x : f32) -> f32 {
    let z = abs(x) * 0.7071067811865476;
    let t = 1.0 / (1.0 + 0.3275911 * z);
    let tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * exp(-z * z);
    return select(0.5 * tail, 1.0 - 0.5 * tail, x >= 0.0);
  }`;

/** x Phi(x) (Hendrycks and Gimpel 2016). */
export const GELU: Shader = {
  name: "Gelu",
  inputs: ["x"],
  uniforms: {},
  per: "element",
  functions: PHI,
  body: "result[index] = x[index] * phi(x[index]);",
};

export const GELU_GRADIENT: Shader = {
  name: "GeluGradient",
  inputs: ["x", "dy"],
  uniforms: {},
  per: "element",
  functions: PHI,
  body: "let v = x[index]; result[index] = dy[index] * (phi(v) + v * 0.3989422804014327 * exp(-0.5 * v * v));",
};

/** softmax(x + bias): x [rows, width], bias [batches, width], where `each` rows share a row of bias. */
export const SOFTMAX: Shader = {
  name: "Softmax",
  inputs: ["x", "bias"],
  uniforms: { ...ROWS, each: "i32" },
  per: "row",
  body: `
    let start = (row / uniforms.each) * uniforms.width;
    var top = -3.4e38;
    ${eachColumn("top = max(top, x[i] + bias[start + k]);")}
    top = most(top);
    var sum = 0.0;
    ${eachColumn("sum = sum + exp(x[i] + bias[start + k] - top);")}
    let all = total(sum);
    ${eachColumn("result[i] = exp(x[i] + bias[start + k] - top) / all;")}`,
};

/** Dropout's factor of an element: lowbias32 (Wellons 2018) of a counter, so each is computed independently, in any order. */
const FACTOR = `
  fn factor(index : i32) -> f32 {
    var x = u32(index) ^ uniforms.key;
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    x = x ^ (x >> 16u);
    return select(uniforms.kept, 0.0, x < uniforms.limit);
  }`;

const DROPPED = { key: "u32", limit: "u32", kept: "f32" } as const;

/** x times dropout's factors. */
export const DROPOUT: Shader = {
  name: "Dropout",
  inputs: ["x"],
  uniforms: DROPPED,
  per: "element",
  functions: FACTOR,
  body: "result[index] = x[index] * factor(index);",
};

/** The gradient of softmax, then dropout, for the logits: weights and the gradient of the result [rows, width]. */
export const SOFTMAX_GRADIENT: Shader = {
  name: "SoftmaxGradient",
  inputs: ["weights", "dy"],
  uniforms: { ...ROWS, ...DROPPED },
  per: "row",
  functions: FACTOR,
  body: `
    var sum = 0.0;
    ${eachColumn("sum = sum + weights[i] * dy[i] * factor(i);")}
    let along = total(sum);
    ${eachColumn("result[i] = weights[i] * (dy[i] * factor(i) - along);")}`,
};

/** Adam's mean of gradients: m and g -> beta m + share g. */
export const ADAM_MEAN: Shader = {
  name: "AdamMean",
  inputs: ["m", "g"],
  uniforms: { beta: "f32", share: "f32" },
  per: "element",
  body: "result[index] = m[index] * uniforms.beta + g[index] * uniforms.share;",
};

/** Adam's mean of squared gradients: v and g -> beta v + share g^2. */
export const ADAM_SQUARE: Shader = {
  name: "AdamSquare",
  inputs: ["v", "g"],
  uniforms: { beta: "f32", share: "f32" },
  per: "element",
  body: "result[index] = v[index] * uniforms.beta + g[index] * g[index] * uniforms.share;",
};

/** Adam's new parameter: decay p - rate m / (root sqrt(v) + eps). */
export const ADAM_MOVE: Shader = {
  name: "AdamMove",
  inputs: ["p", "m", "v"],
  uniforms: { decay: "f32", rate: "f32", root: "f32", eps: "f32" },
  per: "element",
  body: `
    let change = m[index] / (sqrt(v[index]) * uniforms.root + uniforms.eps);
    result[index] = p[index] * uniforms.decay - change * uniforms.rate;`,
};
