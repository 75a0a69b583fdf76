import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readEnvironment } from './environment.ts'

let dir: string
let file: string

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-env-'))
  file = path.join(dir, '.env')
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

/** Saves the file with a later modification time. */
let saves = 0
function save(text: string) {
  fs.writeFileSync(file, text)
  const at = Date.now() / 1000 + ++saves
  fs.utimesSync(file, at, at)
}

describe('[facts/platform 11] the file .env of the data folder', () => {
  test.each([
    { text: 'A=1\nB=two', gives: { A: '1', B: 'two' } },
    { text: `A='a b'\nB="x#y" # note\n# C=3\nexport D=4\n\n`, gives: { A: 'a b', B: 'x#y', D: '4' } },
    { text: `PULSE_AUTH_PASS='$2a$12$abc'`, gives: { PULSE_AUTH_PASS: '$2a$12$abc' } },
    { text: 'A=1\r\nB=2\r\n', gives: { A: '1', B: '2' } },
    { text: 'nonsense\n# =\n', gives: {} },
    { text: '', gives: {} },
  ])('$text', ({ text, gives }) => {
    save(text)
    expect(readEnvironment({}, dir).variables).toEqual(gives)
  })

  test('the environment of the process counts before it', () => {
    save('A=file\nB=file\nC=file')
    const { variables } = readEnvironment({ A: 'process', B: '' }, dir)
    expect(variables).toEqual({ A: 'process', B: '', C: 'file' })
  })

  test('without it the process has all, and nothing is changed', () => {
    const environment = readEnvironment({ A: '1' }, path.join(dir, 'nowhere'))
    expect([environment.variables, environment.isChanged()]).toEqual([{ A: '1' }, false])
  })
})

describe('[facts/platform 7.1] a restart is due', () => {
  test('when the text of the file changed, and no longer when it is as it was', () => {
    save('A=1')
    const environment = readEnvironment({}, dir)
    expect(environment.isChanged()).toBe(false)
    save('A=1')
    expect(environment.isChanged()).toBe(false)
    save('A=2')
    expect([environment.isChanged(), environment.isChanged()]).toEqual([true, true])
    save('A=1')
    expect(environment.isChanged()).toBe(false)
    fs.rmSync(file)
    expect(environment.isChanged()).toBe(true)
  })

  test('when a file came that was not there', () => {
    const environment = readEnvironment({}, dir)
    save('')
    expect(environment.isChanged()).toBe(false)
    save('A=1')
    expect(environment.isChanged()).toBe(true)
  })

  test('the variables stay what they were', () => {
    save('A=1')
    const environment = readEnvironment({}, dir)
    save('A=2')
    environment.isChanged()
    expect(environment.variables).toEqual({ A: '1' })
  })
})
