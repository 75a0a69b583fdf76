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
  ['function once() {\n  clock.after(10, finish)\n}\nfunction finish() {\n  end(once.name)\n}\n', []],
  ['function rise() {\n  fall()\n}\nfunction fall() {\n  clock.after(10, rise)\n}\n', ['fall']],
  ['function a() {\n  clock.after(1, b)\n}\nfunction b() {\n  c()\n}\nconst c = () => later(a)\n', ['a']],
  [
    'class A {\n  #wake() {\n    this.#wakeIn(10)\n  }\n  #wakeIn(\n    ms: number,\n  ): void {\n    this.#clock.after(ms, () => this.#wake())\n  }\n}\n',
    ['this.#wakeIn'],
  ],
  ['class A {\n  stop(): void {\n    this.#clock.after(10, () => socket.stop())\n  }\n}\n', []],
  ['function within() {\n  // within()\n  clock.after(10, () => end(`no answer within ${limit}`))\n}\n', []],
])('%s', (text, expected) => {
  expect(timersIn(text)).toEqual(expected)
})
