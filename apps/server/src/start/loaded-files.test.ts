import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { builtServer } from '../testing/built-server.ts'

const dist = path.dirname(builtServer)
const textOf = (file: string) => fs.readFileSync(path.join(dist, file), 'utf8')
const names = fs.readdirSync(dist)
const files = names.filter((name) => name.endsWith('.js'))

/** The modules in a file of the bundle. One that has no map is the bundler's own. */
function modulesIn(file: string): string[] {
  if (!names.includes(`${file}.map`)) return []
  return (JSON.parse(textOf(`${file}.map`)) as { sources: string[] }).sources
}

/** A file of the bundle and those that it imports, directly or indirectly, but not on demand. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, target] of textOf(file).matchAll(/\b(?:from|import)"\.\/([^"]+)"/g)) loadedWith(target!, seen)
  return seen
}

/** What only several processes need: clients of NATS and PostgreSQL, and what shares the work. Commands need them too. */
const ofSeveral =
  /\/node_modules\/(?:@nats-io|tweetnacl|pg|pg-\w+|pgpass)\/|\/db\/postgres\.ts$|\/(?:cluster|sites)\/index\.ts$|\/commands\/(?:run|migrate)\.ts$/

test('[N 1] one process that does everything alone loads no client of NATS or PostgreSQL', () => {
  const programs = files.filter((name) => name.startsWith('program-'))
  expect(programs).toHaveLength(1)
  const loaded = loadedWith(programs[0]!, loadedWith('main.js'))
  const needless = [...loaded].flatMap(modulesIn).filter((module) => ofSeveral.test(module))
  expect(needless).toEqual([])
  const others = files.filter((name) => !loaded.has(name)).flatMap(modulesIn)
  for (const part of ['/@nats-io/jetstream/', '/pg/', '/db/postgres.ts', '/cluster/index.ts'])
    expect(
      others.filter((module) => module.includes(part)),
      part,
    ).not.toEqual([])
})
