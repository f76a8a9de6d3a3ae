/** A tiny Python project with unittest tests, in a temporary folder. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const shopTests = "python3 -m unittest -q";

/** `total` and `label` have tests; `unused` has none. */
export const shop = `"""A shop."""


def total(prices, reduction=0):
    """What all of it costs."""
    cents = sum(round(price * 100) for price in prices)
    return cents * (100 - reduction) / 10000


class Label:
    def text(self, name, price):
        if price == 0:
            return f"{name.title()}: for free today"
        return f"{name.title()}: {price:.2f}"


def unused(names):
    longest = max(len(name) for name in names)
    return [name.ljust(longest) for name in names]
`;

const tests = `import unittest

from shop import Label, total


class ShopTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1.25, 2.75]), 4.0)
        self.assertEqual(total([10], reduction=50), 5.0)

    def test_label(self):
        self.assertEqual(Label().text("tea", 0), "Tea: for free today")
        self.assertEqual(Label().text("green tea", 1.5), "Green Tea: 1.50")
`;

export async function writeShop(folder: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries({ "shop.py": shop, "test_shop.py": tests, ...files })) {
    await writeFile(join(folder, name), text);
  }
  return folder;
}
