/** An exponential moving average of the parameters, which is evaluated and saved instead of them (Polyak and Juditsky 1992). */
import * as tf from "@tensorflow/tfjs";

/**
 * Moves the averages towards the parameters, in place: a += (1 - d)(p - a) with d = min(decay, (1 + t)/(10 + t)). The smaller d in the
 * first updates, t = 1, 2, ..., lets the averages leave the initial values quickly (tf.train.ExponentialMovingAverage).
 */
export function average(
  averages: ReadonlyMap<string, tf.Variable>,
  parameters: ReadonlyMap<string, tf.Variable>,
  decay: number,
  t: number,
): void {
  const share = 1 - Math.min(decay, (1 + t) / (10 + t));
  tf.tidy(() => {
    for (const [name, mean] of averages) mean.assign(tf.add(mean, tf.mul(tf.sub(parameters.get(name)!, mean), share)));
  });
}
