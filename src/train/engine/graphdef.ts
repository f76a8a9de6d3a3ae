/**
 * The part of TensorFlow's protobuf schema that our graphs use (field numbers of saved_model.proto, meta_graph.proto, graph.proto,
 * node_def.proto, attr_value.proto, tensor.proto; Apache License 2.0, the TensorFlow authors).
 */
import protobuf from "protobufjs";

const SCHEMA = `
syntax = "proto3";
package tensorflow;
message SavedModel { int64 saved_model_schema_version = 1; repeated MetaGraphDef meta_graphs = 2; }
message MetaGraphDef {
  message MetaInfoDef { repeated string tags = 4; }
  MetaInfoDef meta_info_def = 1; GraphDef graph_def = 2;
}
message GraphDef { repeated NodeDef node = 1; VersionDef versions = 4; }
message VersionDef { int32 producer = 1; }
message NodeDef { string name = 1; string op = 2; repeated string input = 3; map<string, AttrValue> attr = 5; }
message AttrValue {
  message ListValue { repeated int64 i = 3; }
  oneof value {
    ListValue list = 1; bytes s = 2; int64 i = 3; float f = 4; bool b = 5; int32 type = 6; TensorShapeProto shape = 7;
    TensorProto tensor = 8;
  }
}
message TensorShapeProto { message Dim { int64 size = 1; } repeated Dim dim = 2; }
message TensorProto { int32 dtype = 1; TensorShapeProto tensor_shape = 2; bytes tensor_content = 4; }
`;

const SavedModel = protobuf.parse(SCHEMA, { keepCase: true }).root.lookupType("tensorflow.SavedModel");

/** TensorFlow's graph version since 2.15. Kernels check it to reproduce older behaviour. */
const PRODUCER = 1645;

export type AttributeValue =
  | { readonly type: number }
  | { readonly bool: boolean }
  | { readonly int: number }
  | { readonly ints: readonly number[] }
  | { readonly float: number }
  | { readonly string: string }
  | { readonly shape: readonly number[] }
  | { readonly tensor: { readonly dtype: number; readonly shape: readonly number[]; readonly bytes: Uint8Array } };

export interface GraphNode {
  readonly name: string;
  readonly op: string;
  /** `node:output` */
  readonly inputs: readonly string[];
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

/** The bytes of a `saved_model.pb` with the tag `train`. */
export function encodeSavedModel(nodes: readonly GraphNode[]): Uint8Array {
  return SavedModel.encode(
    SavedModel.fromObject({
      saved_model_schema_version: 1,
      meta_graphs: [
        {
          meta_info_def: { tags: ["train"] },
          graph_def: {
            node: nodes.map(({ name, op, inputs, attributes }) => ({
              name,
              op,
              input: inputs,
              attr: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, attrValue(value)])),
            })),
            versions: { producer: PRODUCER },
          },
        },
      ],
    }),
  ).finish();
}

const shapeProto = (shape: readonly number[]): object => ({ dim: shape.map((size) => ({ size })) });

function attrValue(value: AttributeValue): object {
  if ("type" in value) return { type: value.type };
  if ("bool" in value) return { b: value.bool };
  if ("int" in value) return { i: value.int };
  if ("ints" in value) return { list: { i: value.ints } };
  if ("float" in value) return { f: value.float };
  if ("string" in value) return { s: Buffer.from(value.string) };
  if ("shape" in value) return { shape: shapeProto(value.shape) };
  const { dtype, shape, bytes } = value.tensor;
  return { tensor: { dtype, tensor_shape: shapeProto(shape), tensor_content: bytes } };
}
