import { call } from './call.ts'
import { parseTemplate } from './parse.ts'
import { TemplateError } from './template-error.ts'
import type { Expression, Part } from './tree.ts'
import { fieldOf, isTrue, listOf, textOf, type Value } from './values.ts'
import { type Target, writers } from './writers.ts'

const maxSteps = 50_000
const maxOutput = 64 * 1024

/**
 * Throws TemplateError if the template exceeds its limits, or its output is not the JSON that it should be.
 */
export function renderTemplate(parts: readonly Part[], data: Value, target: Target): string {
  const writer = writers[target]()
  const out: string[] = []
  let length = 0
  let steps = 0
  let lastLine = 1

  /** A long text counts as many steps. */
  const step = (line: number, characters = 0) => {
    steps += 1 + Math.floor(characters / 256)
    if (steps > maxSteps) throw new TemplateError(line, 'the template takes too many steps')
  }
  const write = (text: string, line: number) => {
    length += text.length
    if (length > maxOutput) throw new TemplateError(line, 'the result is longer than 64 KB')
    out.push(text)
  }

  function run(body: readonly Part[], dot: Value): void {
    for (const part of body) {
      const { line } = part
      lastLine = Math.max(lastLine, line)
      step(line)
      if (part.kind === 'text') {
        step(line, part.text.length)
        write(writer.literal(part.text, line), line)
        lastLine = Math.max(lastLine, line + part.text.split('\n').length - 1)
      } else if (part.kind === 'print') {
        const isFigure = part.value.kind === 'call' && part.value.name === 'printf'
        write(writer.value(evaluate(part.value, dot), line, isFigure), line)
      } else if (part.kind === 'if') {
        const branch = part.branches.find(({ test }) => isTrue(evaluate(test, dot)))
        run(branch ? branch.body : part.otherwise, dot)
      } else {
        const entries = listOf(evaluate(part.over, dot))
        for (const entry of entries) run(part.body, entry)
        if (entries.length === 0) run(part.otherwise, dot)
      }
    }
  }

  function evaluate(expression: Expression, dot: Value): Value {
    const { line } = expression
    step(line)
    if (expression.kind === 'literal') return expression.value
    if (expression.kind === 'field') {
      const from = expression.of ? evaluate(expression.of, dot) : dot
      return expression.path.reduce(fieldOf, from)
    }
    const { name, args } = expression
    if (name === 'and' || name === 'or') {
      let value: Value
      for (const arg of args) {
        value = evaluate(arg, dot)
        if (isTrue(value) === (name === 'or')) break
      }
      return value
    }
    const values = args.map((arg) => evaluate(arg, dot))
    const result = call(name, values)
    const long = textOf(typeof result === 'object' ? '' : result).length
    step(line, long)
    if (long > maxOutput) throw new TemplateError(line, 'a text in the template becomes longer than 64 KB')
    return result
  }

  run(parts, data)
  writer.finish(lastLine)
  return out.join('')
}

/** The problem of a template, with its line and the expected input. Renders each sample. */
export function templateProblem(
  source: string,
  samples: readonly Value[],
  target: Target,
): string | undefined {
  try {
    const parts = parseTemplate(source)
    for (const sample of samples) renderTemplate(parts, sample, target)
    return undefined
  } catch (error) {
    if (error instanceof TemplateError) return error.message
    throw error
  }
}
