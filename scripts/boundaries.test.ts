import { expect, test } from 'vitest'
import { areaCrossings, areasOf, featureCrossings, refusedIn, speaksSql } from './boundaries.mjs'

const imports = (all: Record<string, string[]>) => {
  const targets = Object.values(all).flat()
  return new Map<string, readonly string[]>([
    ...Object.entries(all),
    ...targets.filter((target) => !(target in all)).map((target) => [target, []] as [string, string[]]),
  ])
}

test('a folder is an area when its index exports one', () =>
  expect(
    areasOf(
      new Map([
        ['alerts/index.ts', 'export function alertArea({ db }: Edges): AlertArea {'],
        ['demo/index.ts', 'export const demoArea = (mask: Mask): Area => ({'],
        ['collectors/index.ts', 'export const collectors = {}'],
        ['oidc/single-sign-on.ts', 'export interface OidcArea {'],
      ]),
    ),
  ).toEqual(['alerts', 'demo']))

test('an area may import itself and folders below, but no other area, not even a type', () =>
  expect(
    areaCrossings(
      imports({
        'alerts/index.ts': ['alerts/watch.ts', 'db/alerts.ts', 'notify/index.ts'],
        'db/alerts.ts': ['alerts/rows.ts'],
      }),
      ['alerts', 'notify'],
    ),
  ).toEqual([
    ['alerts/index.ts', 'notify/index.ts'],
    ['db/alerts.ts', 'alerts/rows.ts'],
  ]))

test('the composition may import areas', () =>
  expect(
    areaCrossings(
      imports({
        'server.ts': ['alerts/index.ts'],
        'start/config.ts': ['alerts/environment.ts'],
        'commands/config.ts': ['alerts/parts.ts'],
      }),
      ['alerts'],
    ),
  ).toEqual([]))

test('no feature imports a feature, and the app imports only its page', () =>
  expect(
    featureCrossings(
      imports({
        'app/routes.ts': ['features/mail/page.tsx', 'features/mail/columns.tsx'],
        'features/mail/page.tsx': ['features/mail/columns.tsx', 'parts/bar.tsx', 'features/storage/page.tsx'],
        'parts/bar.tsx': ['features/mail/page.tsx'],
      }),
    ),
  ).toEqual([
    ['app/routes.ts', 'features/mail/columns.tsx'],
    ['features/mail/page.tsx', 'features/storage/page.tsx'],
    ['parts/bar.tsx', 'features/mail/page.tsx'],
  ]))

const ffi = ['node', 'ffi'].join(':')

test.each([
  `import { dlopen } from '${ffi}'`,
  `const ffi = await import("${ffi}")`,
  `require('${ffi}')`,
  `process.getBuiltinModule('${ffi}')`,
  `spawn(node, ['--experimental-${ffi.slice(5)}', file])`,
])('an experimental module of Node is refused: %s', (text) => expect(refusedIn(text)).toEqual([ffi]))

test('a comment may name it', () =>
  expect(refusedIn(`// ${ffi} was removed\nimport fs from 'node:fs'`)).toEqual([]))

test('only the database folder speaks SQL', () => {
  const sqlite = "import { DatabaseSync } from 'node:sqlite'"
  const raw = "import { type CompiledQuery, sql } from 'kysely'"
  expect(speaksSql('alerts/history.ts', sqlite)).toBe(true)
  expect(speaksSql('alerts/history.ts', raw)).toBe(true)
  expect(speaksSql('alerts/history.ts', "import type { CompiledQuery } from 'kysely'")).toBe(false)
  expect(speaksSql('db/copy.ts', sqlite)).toBe(false)
  expect(speaksSql('alerts/history.test.ts', sqlite)).toBe(false)
})
