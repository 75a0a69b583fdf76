import { expect, test } from 'vitest'
import { timersIn } from './timers.mjs'

test.each([
  ['setInterval(run, 1_000)', ['setInterval or setTimeout']],
  ['const timer = setTimeout(run, 5)', ['setInterval or setTimeout']],
  ['socket.setTimeout(0)', []],
  ['import { setTimeout as pause } from "node:timers/promises"', []],
  ['function look() {\n  work()\n  cancel = clock.after(10, look)\n}\n', ['look']],
  ['const look = () => {\n  clock.after(10, () => {\n    look()\n  })\n}\n', ['look']],
  ['async function look() {\n  await clock.after(10, () => end(later(look)))\n}\n', ['look']],
  ['function once() {\n  clock.after(10, finish)\n}\nfunction finish() {\n  once()\n}\n', []],
])('%s', (text, expected) => {
  expect(timersIn(text)).toEqual(expected)
})
