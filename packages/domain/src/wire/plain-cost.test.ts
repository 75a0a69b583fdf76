import { META_ID, type AnyRecord, recordKinds } from '@pulse/contract'
import { aMeta } from '@pulse/testkit'
import { expect, test } from 'vitest'
import type { Tables } from '../state/tables.ts'
import { atOnce } from './in-steps.ts'
import { plainJson } from './plain.ts'

/** Counts the visited array elements, including copies by `...`. */
function walked(run: () => void): number {
  const iterator = Object.getPrototypeOf([][Symbol.iterator]()) as { next: () => unknown }
  const { next } = iterator
  let count = 0
  iterator.next = function (this: unknown) {
    count++
    return next.call(this)
  }
  try {
    run()
  } finally {
    iterator.next = next
  }
  return count
}

function withContainers(count: number): Tables {
  const host = { id: 'h', name: 'h', hostname: 'h', displayName: 'h', agentId: 'a', source: 'docker-1' }
  const containers = Array.from({ length: count }, (_, n): [string, AnyRecord] => [
    `h:${n}`,
    { id: `c${n}`, host: 'h', name: `c${n}`, image: 'i', state: 'running', source: 'docker-1' } as never,
  ])
  const entries = recordKinds().map((kind) => [kind, new Map<string, unknown>()] as const)
  const tables = Object.fromEntries(entries)
  tables['meta']!.set(META_ID, aMeta())
  tables['dockerHosts']!.set('h', host)
  tables['dockerContainers'] = new Map(containers)
  return tables as unknown as Tables
}

test('a host with ten times the containers costs ten times as much, not a hundred times', () => {
  const costOf = (count: number) => {
    const tables = withContainers(count)
    let text = ''
    const steps = walked(() => (text = atOnce(plainJson(tables, aMeta(), 0)).join('')))
    expect(text.match(/"id":"c\d+"/g)).toHaveLength(count)
    return steps
  }
  expect(costOf(2_000)).toBeLessThan(11 * costOf(200))
})
