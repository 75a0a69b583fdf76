import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Schema } from './fixtures-validate.ts'

/** Recordings and official schemas are stored beside the repository, not in it. */
const folder = fileURLToPath(new URL('../../../../../../shared/fixtures/', import.meta.url))

export const haveFixtures = existsSync(folder)

/** Vitest evaluates the bodies of skipped suites too, so a missing file must not throw. */
const readJson = (name: string): unknown =>
  haveFixtures ? JSON.parse(readFileSync(`${folder}${name}`, 'utf8')) : { paths: {} }

export const recording = (name: string, product = 'pve'): Record<string, unknown> =>
  readJson(`${product}/${name}.json`) as Record<string, unknown>

/** Documented return types of the API viewer, by path. */
export function officialReturns(version: string): Map<string, Schema> {
  const { paths } = readJson(`pve/schema-${version}.json`) as { paths: Record<string, { returns?: Schema }> }
  return new Map(Object.entries(paths).map(([path, { returns }]) => [path, returns ?? {}]))
}

/** Documented query parameters of the API viewer, by path. */
export function officialParameters(version: string): Map<string, string[]> {
  const { paths } = readJson(`pve/schema-${version}.json`) as {
    paths: Record<string, { parameters?: unknown }>
  }
  return new Map(Object.entries(paths).map(([path, { parameters }]) => [path, namesIn(parameters)]))
}

/** 9.2.3 is stored in another form than the two older releases. */
function namesIn(parameters: unknown): string[] {
  if (Array.isArray(parameters)) return parameters.map(({ name }: { name: string }) => name)
  return Object.keys((parameters as { properties?: object } | undefined)?.properties ?? {})
}
