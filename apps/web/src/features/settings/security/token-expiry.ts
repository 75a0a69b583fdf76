export const expiryChoices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
] as const
export type ExpiryChoice = (typeof expiryChoices)[number]['value']

const DAY_MS = 86_400_000

/** RFC 3339; undefined for a token that does not expire. */
export const expiresAt = (choice: ExpiryChoice, nowMs: number): string | undefined =>
  choice === 'never' ? undefined : new Date(nowMs + Number(choice) * DAY_MS).toISOString()
