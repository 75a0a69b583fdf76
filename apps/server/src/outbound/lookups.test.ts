import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { limitedLookups } from './lookups.ts'

test('[R4] names whose name server is silent are asked for once, and leave room for what is watched', () => {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const lookup = limitedLookups((host, _options, tell) => {
    asked.push(host)
    answers.push(() => tell(null, [{ address: '192.0.2.1', family: 4 }]))
  }, 2)
  const found: string[] = []
  const ask = (host: string) => lookup(host, { all: true }, (error) => void (error ?? found.push(host)))
  for (let attempt = 0; attempt < 3; attempt++) for (const host of ['one', 'two', 'three']) ask(host)
  expect(asked).toEqual(['one', 'two'])
  answers[0]!()
  expect(found).toEqual(['one', 'one', 'one'])
  expect(asked).toEqual(['one', 'two', 'three'])
  answers[1]!()
  answers[2]!()
  ask('one')
  expect(asked).toEqual(['one', 'two', 'three', 'one'])
})

test('[R4] names that were found go before those that were not, which take half of the room at most', () => {
  const asked = new Map<string, (isFound: boolean) => void>()
  const resolve = limitedLookups((host, _options, tell) => {
    asked.set(host, (isFound) => {
      asked.delete(host)
      tell(isFound ? null : new Error('no answer'), [])
    })
  }, 2)
  const ask = (host: string) => resolve(host, { all: true }, () => {})
  ask('good')
  asked.get('good')!(true)
  for (const host of ['dead-1', 'dead-2', 'dead-3']) ask(host)
  ask('good')
  asked.get('dead-1')!(false)
  expect([...asked.keys()]).toEqual(['dead-2', 'good'])
  for (const host of ['dead-2', 'good', 'dead-3']) asked.get(host)!(host === 'good')
  for (const host of ['dead-1', 'dead-2', 'dead-3']) ask(host)
  expect([...asked.keys()]).toEqual(['dead-1'])
  ask('good')
  expect([...asked.keys()]).toEqual(['dead-1', 'good'])
})

test('[R4] the process has threads for more names than that', () => {
  const moduleUrl = JSON.stringify(new URL('../start/threads.ts', import.meta.url).href)
  const program = `
    await import(${moduleUrl})
    const { readdirSync } = await import('node:fs')
    const before = readdirSync('/proc/self/task').length
    await (await import('node:dns/promises')).lookup('localhost')
    console.log(readdirSync('/proc/self/task').length - before)`
  const threads = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: process.env['PATH'] },
  })
  expect(Number(threads.toString())).toBe(24)
})
