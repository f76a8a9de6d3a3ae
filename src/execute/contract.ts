/** Contracts (EvalPlus): asserts over the parameters that valid inputs satisfy. */

/**
 * A program whose function takes the reference's parameters and returns True if the contract's asserts hold; otherwise it raises. The
 * contract may be indented, as in EvalPlus, and may use names that the reference defines.
 */
export function contractProgram(reference: string, entryPoint: string, contract: string): string {
  const body = `__import__("textwrap").dedent(${JSON.stringify(`${contract.replace(/^\s*\n/, "").trimEnd()}\n`)})`;
  return `${reference}

_contract_code = compile(${body}, "<contract>", "exec")
_contract_signature = __import__("inspect").signature(${entryPoint})
_contract_names = {"${entryPoint}": ${entryPoint}}

def ${entryPoint}(*args, **kwargs):
    bound = _contract_signature.bind(*args, **kwargs)
    bound.apply_defaults()
    exec(_contract_code, {**globals(), **_contract_names, **bound.arguments})
    return True
`;
}
