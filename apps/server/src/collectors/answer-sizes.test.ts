import { expect, test } from 'vitest'
import { createAnswerSizes } from './answer-sizes.ts'

test('a question with another time in it is the same question', () => {
  const sizes = createAnswerSizes()
  for (let since = 0; since < 10_000; since++)
    sizes.remember(`/nodes/pbs/tasks?since=${since}`, 1_000 + since)
  expect(sizes.count).toBe(1)
  expect(sizes.of('/nodes/pbs/tasks?since=77777')).toBe(10_999)
})

test('tasks are one question; any other paths are bounded, and the newest are remembered', () => {
  const sizes = createAnswerSizes()
  for (let n = 0; n < 500; n++) sizes.remember(`/nodes/pve1/tasks/UPID:pve1:${n}:vzdump:100:root@pam:/log`, n)
  expect(sizes.count).toBe(1)
  for (let n = 0; n < 5_000; n++) sizes.remember(`/list/${n}`, n)
  expect(sizes.count).toBe(100)
  expect([sizes.of('/list/4999'), sizes.of('/list/1')]).toEqual([4_999, 0])
})
