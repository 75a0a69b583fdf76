import { expect, test } from 'vitest'
import { cyclesOf, importsOf } from './cycles.mjs'

test('every form of import counts: values, types, side effects, dynamic', () =>
  expect(
    importsOf(
      'auth/area.ts',
      `import { a,\n  b } from './a.ts'\nimport type { C } from "../c.ts"\nexport * from './d.ts'\nimport './e.ts'\nconst f = import('./f.ts')\nimport g from 'node:fs'`,
    ),
  ).toEqual(['auth/a.ts', 'c.ts', 'auth/d.ts', 'auth/e.ts', 'auth/f.ts']))

const found = (imports: Record<string, string[]>) => cyclesOf(new Map(Object.entries(imports)))

test('files of one folder that import one another are named with their imports', () =>
  expect(
    found({ 'auth/a.ts': ['auth/b.ts'], 'auth/b.ts': ['auth/c.ts'], 'auth/c.ts': ['auth/a.ts'] }),
  ).toEqual([
    [
      'auth: a.ts, b.ts, c.ts import one another',
      '  auth/a.ts imports auth/b.ts',
      '  auth/b.ts imports auth/c.ts',
      '  auth/c.ts imports auth/a.ts',
    ].join('\n'),
  ]))

test('folders that import one another are a cycle, even when their files are not', () =>
  expect(
    found({
      'auth/a.ts': ['settings/b.ts'],
      'settings/b.ts': [],
      'settings/c.ts': ['auth/d.ts'],
      'auth/d.ts': [],
    }),
  ).toEqual([expect.stringMatching(/^\.: auth, settings import one another\n/)]))

test('so are subfolders, and a file with the folder beside it', () =>
  expect(
    found({
      'web/table/a.ts': ['web/row/b.ts'],
      'web/row/b.ts': [],
      'web/row/c.ts': ['web/table/d.ts'],
      'web/table/d.ts': [],
      'area.ts': ['http/route.ts'],
      'http/route.ts': ['area.ts'],
    }),
  ).toEqual([
    expect.stringMatching(/^web: row, table import one another\n/),
    expect.stringMatching(/^\.: area.ts, http import one another\n/),
  ]))

test('imports in one direction are no cycle', () =>
  expect(
    found({
      'collectors/index.ts': ['collectors/pve/index.ts', 'collectors/pbs/index.ts'],
      'collectors/pve/index.ts': ['collectors/source.ts', 'collectors/pve/map.ts'],
      'collectors/pbs/index.ts': ['collectors/source.ts'],
      'collectors/pve/map.ts': [],
      'collectors/source.ts': [],
    }),
  ).toEqual([]))
