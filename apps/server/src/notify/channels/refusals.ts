import { changeOfDestination, type Destination } from '@pulse/domain'
import { AppError } from '../../app-error.ts'
import type { Problems } from '../channel.ts'

const labels: Record<string, string | undefined> = {
  apiKey: 'API key',
  targets: 'delivery targets',
  url: 'URL',
}

/** What must be given again because it would go elsewhere, or because nothing is stored that the mask could stand for. */
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

export function refuseProblems(problems: Problems): void {
  const [first] = Object.entries(problems)
  if (!first) return
  throw new AppError('validation_failed', `${first[0]}: ${first[1]}`, { details: problems })
}

export const invalid = (field: string, problem: string): AppError =>
  new AppError('validation_failed', `${field}: ${problem}`, { details: { [field]: problem } })
