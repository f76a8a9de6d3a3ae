/** What objects of a class show: attributes that a description names, and methods of whose results it says nothing. */
import { afterAll, expect, it } from "vitest";
import { attributesOf, classesOf, silentMethods } from "../../src/behaviour/classes.ts";
import { showInput } from "../../src/behaviour/show.ts";
import { closeExecutor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

const ACCOUNT = `class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self._log = []
    def deposit(self, amount):
        self.balance += amount
    def take(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        return True
`;
const DESCRIPTION =
  "A class Account(owner, balance=0) with the attributes owner and balance. deposit(amount) adds; take(amount) returns whether there was enough.";

it("reads the attributes that a description names", () => {
  const [account] = classesOf(ACCOUNT);
  expect(attributesOf(account!, DESCRIPTION)).toEqual(["owner", "balance"]);
  expect(attributesOf(account!, "Shows the balance.")).toEqual([]);
  expect(silentMethods(account!, DESCRIPTION)).toEqual(["deposit"]);
  expect(silentMethods(account!, "deposit(amount) returns None.")).toEqual([]);
});

it("compares attributes, and no results of methods that have none", async () => {
  const returning = ACCOUNT.replace("self.balance += amount", "self.balance += amount\n        return self.balance");
  const forgetful = ACCOUNT.replace("self.balance -= amount\n        return True", "return True");
  const candidates = [returning, forgetful];
  const ran = await observe({ reference: ACCOUNT, description: DESCRIPTION, candidates }, 40);
  expect(inputsOf(ran).every((args) => args.includes("('__getattribute__', 'balance')"))).toBe(true);
  expect(ran.observed.candidates[0]!.agrees).not.toContain(false);
  expect(ran.observed.candidates[1]!.agrees).toContain(false);
  const entry = { kind: "call", name: "Account", shows: "calls" } as const;
  expect(showInput({ args: "[('Account', 'ed'), ('deposit', 1), ('__getattribute__', 'balance')]" }, entry)).toBe(
    "Account('ed'); deposit(1); .balance",
  );
});

it("asks for what an object holds under each key", async () => {
  const reference = `from collections import OrderedDict
class Cache:
    def __init__(self, capacity):
        self.capacity, self.held = capacity, OrderedDict()
    def get(self, key):
        if key not in self.held:
            return None
        self.held.move_to_end(key)
        return self.held[key]
    def put(self, key, value):
        self.held[key] = value
        self.held.move_to_end(key)
        if len(self.held) > self.capacity:
            self.held.popitem(last=False)
`;
  const description =
    "Cache(capacity) keeps the most recently used keys: get(key) returns None for others, put(key, value) stores.";
  const wrong = reference.replace("        self.held.move_to_end(key)\n        return", "        return");
  const ran = await observe({ reference, description, candidates: [wrong] }, 40);
  expect(ran.observed.candidates[0]!.agrees).toContain(false);
});

it.each([
  ["other sentences speak of lists", "Lift(floors) simulates a lift.", "list(range(9))"],
  ["its attribute is used as one", "Lift(floors) keeps a list of calls.", "list(range(self.floors))"],
])("gives the constructor numbers if %s", async (_, first, shown) => {
  const reference = `class Lift:
    def __init__(self, floors):
        self.floors = floors
        self.asked = set()
    def call(self, floor):
        self.asked.add(floor)
    def stops(self):
        return sorted(self.asked)
    def shown(self):
        return ${shown}
`;
  const description = `${first} call(floor) asks for a floor. stops() returns the list of those asked for, shown() all of them.`;
  const ran = await observe({ reference, description, candidates: [] }, 20);
  expect(inputsOf(ran).length).toBeGreaterThan(9);
  for (const args of inputsOf(ran)) expect(args).toMatch(/^\[\('Lift', -?\d+\)/);
});
