import { changeOfDestination, type Destination } from '@pulse/domain'
import type * as z from 'zod/mini'
import { AppError } from '../../app-error.ts'
import type { Problems } from '../channel.ts'

const labels: Record<string, string | undefined> = {
  apiKey: 'API key',
  targets: 'delivery targets',
  url: 'URL',
}

/** Secrets must be entered again: the destination changed, or no stored value matches the mask. */
export function secretsRequired(fields: readonly string[], from: Destination, to: Destination): AppError {
  const change = changeOfDestination(from, to)
  const why = change
    ? `A stored secret is never sent to a different destination. Changed: ${change}.`
    : 'No stored value matches the mask.'
  return new AppError(
    'secret_required',
    `Enter again: ${fields.map((field) => labels[field] ?? field).join(', ')}. ${why}`,
    {
      details: Object.fromEntries(fields.map((field) => [field, 'Enter it again.'])),
    },
  )
}

/** Returns the settings, or throws their problems. */
export function checked<Settings>(
  settings: Settings,
  problemsOf: (settings: Settings) => Problems,
): Settings {
  const problems = problemsOf(settings)
  const [first] = Object.entries(problems)
  if (!first) return settings
  throw new AppError('validation_failed', `${first[0]}: ${first[1]}`, { details: problems })
}

export const invalid = (field: string, problem: string): AppError =>
  new AppError('validation_failed', `${field}: ${problem}`, { details: { [field]: problem } })

/** The settings of a test, checked by their schema. */
export function parsed<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw invalid(issue?.path.join('.') || 'config', 'This value cannot be used here.')
}
