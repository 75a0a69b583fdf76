import { parseTemplate } from './parse.ts'
import { renderTemplate } from './render.ts'
import { TemplateError } from './template-error.ts'
import type { Value } from './values.ts'
import type { Target } from './writers.ts'

/** Why a template cannot be used, with its line and what is expected there; tried with each of the samples. */
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
