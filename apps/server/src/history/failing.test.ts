import { expect, test } from 'vitest'
import { createFailing } from './failing.ts'

const opening = 'The metric history cannot be opened: no space'
const writing = 'The metric history cannot be written: no space. Samples are lost meanwhile.'

function given() {
  const reported: (string | undefined)[] = []
  const { note } = createFailing((text) => reported.push(text))
  return { reported, note }
}

test('[M 1.3] what fails again and again is reported once, and its end once', () => {
  const { reported, note } = given()
  for (let n = 0; n < 100; n++) note('open', new Error('no space'))
  for (let n = 0; n < 100; n++) note('open', undefined)
  expect(reported).toEqual([opening, undefined])
})

test('[M 1.3] the gravest of several is reported, and the next one when it is over', () => {
  const { reported, note } = given()
  note('maintain', 'no space')
  note('open', 'no space')
  note('append', 'no space')
  note('open', undefined)
  note('append', undefined)
  note('maintain', undefined)
  expect(reported).toEqual([writing, opening, writing, undefined])
})
