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

it("gives the constructor numbers if its attribute is used as one", async () => {
  const reference = `class Lift:
    def __init__(self, top):
        self.top, self.at = top, 0
        self.limit = top
    def up(self, by):
        self.at = min(self.limit - 1, self.at + by)
        return self.at
`;
  const ran = await observe(
    { reference, description: "Lift(top): up(by) goes up and returns the floor.", candidates: [] },
    20,
  );
  for (const args of inputsOf(ran)) expect(args).toMatch(/^\[\('Lift', -?\d+\)/);
});
