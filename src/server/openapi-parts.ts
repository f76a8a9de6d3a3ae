/** Helpers to write the parts of the OpenAPI document. */

export const text = { type: "string" } as const;
export const share = { type: "number", minimum: 0, maximum: 1 } as const;
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: object, examples?: object) => ({
  content: { "application/json": { schema, ...(examples ? { examples } : {}) } },
});
export const answer = (description: string, schema: object) => ({ description, ...json(schema) });
export const error = (description: string) => answer(description, ref("Error"));
export const object = (properties: Record<string, object>, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  required,
  properties,
});
