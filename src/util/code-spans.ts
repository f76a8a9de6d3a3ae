/** Code in texts, which stands in single backticks as in Markdown. */

export interface Span {
  readonly text: string;
  readonly isCode: boolean;
}

/** Splits a text at its code and drops the backticks around it. A backtick without a partner on its line stays. */
export const codeSpans = (text: string): Span[] =>
  text
    .split(/`([^`\n]+)`/)
    .map((part, i) => ({ text: part, isCode: i % 2 === 1 }))
    .filter(({ text }) => text !== "");
