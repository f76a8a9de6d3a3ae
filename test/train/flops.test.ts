import { expect, it } from "vitest";
import { configOfSize, parameterSpecs, SIZES, type SizeName } from "../../src/model/index.ts";
import { matrixParameters, SpeedMeter, trainingFlops } from "../../src/train/flops.ts";

it.each(Object.keys(SIZES) as SizeName[])("counts the matrices of the encoder's layers in %s", (size) => {
  const config = configOfSize(size, 400);
  const matrices = parameterSpecs(config).filter(
    ({ name, shape }) => name.startsWith("encoder.") && shape.length === 2,
  );
  expect(matrixParameters(config)).toBe(matrices.reduce((sum, { shape }) => sum + shape[0]! * shape[1]!, 0));
});

it("gives rates over the steps added", () => {
  const config = configOfSize("small", 400); // 6 x 384: 10,616,832 matrix parameters
  expect(trainingFlops(config, 16 * 256)).toBe(6 * 10_616_832 * 4096);
  const meter = new SpeedMeter(config);
  expect(meter.speed).toBeNull();
  meter.add({ rows: 16, tokens: 4096, seconds: 1.5 });
  meter.add({ rows: 8, tokens: 2048, seconds: 0.5 });
  expect(meter.speed).toEqual({
    examplesPerSecond: 12,
    tokensPerSecond: 3072,
    gigaflopsPerSecond: (6 * 10_616_832 * 3072) / 1e9,
  });
});
