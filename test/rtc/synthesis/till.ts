/** A Python project whose functions return, change, print, raise, yield and keep state; with unittest tests. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const tillTests = "python3 -m unittest -q";

export const till = `"""A till."""
from __future__ import annotations
import time

SOLD = []


def total(prices, reduction=0):
    """What all of it costs."""
    cents = sum(round(price * 100) for price in prices)
    return cents * (100 - reduction) / 10000


def add(basket, name, price):
    entry = {"name": name, "price": price}
    basket.append(entry)


def sell(name):
    SOLD.append(name.title())


def receipt(basket):
    for entry in basket:
        print(entry["name"], entry["price"])


def halves(number):
    while number > 1:
        number = number // 2
        yield number


def pay(amount, due):
    if amount < due:
        raise ValueError(f"{due - amount} are missing")
    return amount - due


def stamp(name):
    return (name, time.time())


def apply(change, price):
    changed = change(price)
    return round(changed, 2)


def reader(lines):
    for line in lines:
        return line.strip().upper()


class Shelf:
    def __init__(self, name):
        self.__name = name
        self.items = []

    def put(self, item):
        self.items.append(item)
        return len(self.items)


class Fridge(Shelf):
    def put(self, item):
        cold = f"cold {item}"
        return super().put(cold)

    def label(self):
        return f"{type(self).__name__} of {len(self.items)}"


def vat(price, rate=19):
    return round(price * rate / 100, 2)
`;

const tests = `import unittest

import till


class TillTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(till.total([1.25, 2.75]), 4.0)
        self.assertEqual(till.total([10], reduction=50), 5.0)

    def test_add(self):
        basket = []
        till.add(basket, "tea", 1.5)
        till.add(basket, "cake", 2.5)
        self.assertEqual([entry["name"] for entry in basket], ["tea", "cake"])

    def test_sell(self):
        till.sell("green tea")
        self.assertIn("Green Tea", till.SOLD)

    def test_receipt(self):
        till.receipt([{"name": "tea", "price": 1}])

    def test_halves(self):
        self.assertEqual(list(till.halves(20)), [10, 5, 2, 1])

    def test_pay(self):
        self.assertEqual(till.pay(5, 3), 2)
        with self.assertRaises(ValueError):
            till.pay(1, 3)

    def test_stamp(self):
        self.assertEqual(till.stamp("tea")[0], "tea")

    def test_apply(self):
        off = 0.5
        self.assertEqual(till.apply(lambda price: price - off, 2), 1.5)

    def test_reader(self):
        self.assertEqual(till.reader(line for line in [" a "]), "A")

    def test_shelves(self):
        fridge = till.Fridge("small")
        self.assertEqual(fridge.put("milk"), 1)
        self.assertEqual(fridge.items, ["cold milk"])
        self.assertEqual(fridge.label(), "Fridge of 1")

    def test_vat(self):
        self.assertEqual(till.vat(100), 19)
`;

export async function writeTill(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "till.py"), till);
  await writeFile(join(folder, "test_till.py"), tests);
  return folder;
}
