/**
 * The part of ONNX's protobuf schema that our model files use (field numbers of onnx.proto, IR version 9; Apache License 2.0, the ONNX
 * authors).
 */
import protobuf from "protobufjs";

const SCHEMA = `
syntax = "proto3";
package onnx;
message AttributeProto {
  string name = 1; float f = 2; int64 i = 3; bytes s = 4;
  repeated float floats = 7; repeated int64 ints = 8; int32 type = 20;
}
message ValueInfoProto { string name = 1; TypeProto type = 2; }
message NodeProto {
  repeated string input = 1; repeated string output = 2; string name = 3; string op_type = 4;
  repeated AttributeProto attribute = 5; string domain = 7;
}
message StringStringEntryProto { string key = 1; string value = 2; }
message ModelProto {
  int64 ir_version = 1; string producer_name = 2; string producer_version = 3; GraphProto graph = 7;
  repeated OperatorSetIdProto opset_import = 8; repeated StringStringEntryProto metadata_props = 14;
}
message GraphProto {
  repeated NodeProto node = 1; string name = 2; repeated TensorProto initializer = 5;
  repeated ValueInfoProto input = 11; repeated ValueInfoProto output = 12;
}
message TensorProto { repeated int64 dims = 1; int32 data_type = 2; string name = 8; bytes raw_data = 9; }
message TensorShapeProto {
  message Dimension { oneof value { int64 dim_value = 1; string dim_param = 2; } }
  repeated Dimension dim = 1;
}
message TypeProto {
  message Tensor { int32 elem_type = 1; TensorShapeProto shape = 2; }
  Tensor tensor_type = 1;
}
message OperatorSetIdProto { string domain = 1; int64 version = 2; }
`;

const ModelProto = protobuf.parse(SCHEMA, { keepCase: true }).root.lookupType("onnx.ModelProto");

/** TensorProto.DataType */
export const FLOAT = 1;
export const UINT8 = 2;
export const INT8 = 3;
export const INT64 = 7;
export const FLOAT16 = 10;

export type Attribute = number | readonly number[] | { readonly float: number };

/** Domain of ONNX Runtime's own operators, in addition to ONNX's. */
export const MICROSOFT = "com.microsoft";

export interface OnnxNode {
  readonly op: string;
  /** "" is ONNX's domain. */
  readonly domain: "" | typeof MICROSOFT;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export interface OnnxTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: typeof FLOAT | typeof UINT8 | typeof INT8 | typeof INT64 | typeof FLOAT16;
  readonly bytes: Uint8Array;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: typeof FLOAT | typeof INT64;
  /** A name is a dimension that is known only when the model runs. */
  readonly dims: readonly (number | string)[];
}

export interface OnnxModel {
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly opset: number;
  readonly producerVersion: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The bytes of an .onnx file. */
export function encodeOnnx(model: OnnxModel): Uint8Array {
  const value = ({ name, type, dims }: OnnxValue): object => ({
    name,
    type: {
      tensor_type: {
        elem_type: type,
        shape: { dim: dims.map((dim) => (typeof dim === "number" ? { dim_value: dim } : { dim_param: dim })) },
      },
    },
  });
  const domains = new Set(model.nodes.map(({ domain }) => domain));
  return ModelProto.encode(
    ModelProto.fromObject({
      ir_version: 9,
      producer_name: "codescore",
      producer_version: model.producerVersion,
      opset_import: [...domains].map((domain) => ({ domain, version: domain === "" ? model.opset : 1 })),
      metadata_props: Object.entries(model.metadata).map(([key, text]) => ({ key, value: text })),
      graph: {
        name: "unice",
        node: model.nodes.map(({ op, domain, inputs, output, attributes }) => ({
          op_type: op,
          domain,
          name: output,
          input: inputs,
          output: [output],
          attribute: Object.entries(attributes).map(([name, attribute]) => attributeProto(name, attribute)),
        })),
        initializer: model.initializers.map(({ name, dims, type, bytes }) => ({
          name,
          dims,
          data_type: type,
          raw_data: bytes,
        })),
        input: model.inputs.map(value),
        output: model.outputs.map(value),
      },
    }),
  ).finish();
}

/** AttributeProto.AttributeType: FLOAT = 1, INT = 2, INTS = 7. */
function attributeProto(name: string, attribute: Attribute): object {
  if (typeof attribute === "number") return { name, type: 2, i: attribute };
  if ("float" in attribute) return { name, type: 1, f: attribute.float };
  return { name, type: 7, ints: attribute };
}
