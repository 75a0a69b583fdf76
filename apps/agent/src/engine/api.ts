import { EngineError } from './client.ts'
import { fields, list, text } from './read.ts'

/**
 * The agent's requests have had this form since API 1.24. It is tested up to 1.41 and documented up to 1.51.
 */
const oldest = '1.24'
const newest = '1.51'

export interface EngineApi {
  /** prefix of every path */
  prefix: string
  isPodman: boolean
}

/** The newest API version that engine and agent support. */
export function chooseApi(version: unknown): EngineApi {
  const { ApiVersion, MinAPIVersion, Components } = fields(version)
  const most = numbered(ApiVersion) ?? oldest
  const least = numbered(MinAPIVersion) ?? oldest
  if (compare(most, oldest) < 0) {
    throw new EngineError(
      'failed',
      `The engine supports API ${most}; ${oldest} or later is needed (Docker 1.12).`,
    )
  }
  // an engine that supports only newer versions may still work
  const chosen = compare(most, newest) <= 0 ? most : compare(least, newest) > 0 ? least : newest
  const isPodman = list(Components).some((part) => text(fields(part).Name)?.startsWith('Podman'))
  return { prefix: `/v${chosen}`, isPodman }
}

/** The version becomes a part of every path. */
const numbered = (value: unknown) => /^\d{1,3}\.\d{1,3}$/.exec(text(value) ?? '')?.[0]

function compare(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number)
  const [majorB = 0, minorB = 0] = b.split('.').map(Number)
  return majorA - majorB || minorA - minorB
}
