import { guestUrlProblem } from '@pulse/domain'
import * as z from 'zod/mini'
import { listed } from '../export-part.ts'
import { lenient, type LegacyPart, text } from '../legacy-part.ts'

const LegacyGuest = lenient(z.looseObject({ customUrl: text, description: text }), {
  customUrl: '',
  description: '',
})
const LegacyGuests = lenient(z.record(z.string(), LegacyGuest), {})

/** The links of Pulse 4.x, by the ids of the documented state. */
export const legacyLinks = { field: 'guestMetadata', take: toLinks } satisfies LegacyPart

function toLinks(value: unknown) {
  const guests = LegacyGuests.parse(value)
  const withUrl = Object.entries(guests).filter(([, { customUrl }]) => customUrl.trim() !== '')
  const isUsable = ([id, { customUrl }]: (typeof withUrl)[number]) =>
    id !== '' && id.length <= 256 && customUrl.length <= 2048 && guestUrlProblem(customUrl) === undefined
  const usable = withUrl.filter(isUsable)
  const wrong = withUrl.filter((entry) => !isUsable(entry)).map(([id]) => id)
  const described = Object.values(guests).filter(({ description }) => description !== '').length
  const notes: string[] = []
  if (wrong.length > 0) notes.push(`Invalid guest links were left out: ${listed(wrong)}.`)
  if (described > 0) notes.push(`Descriptions of guests were left out: ${described}.`)
  const taken = usable.map(([id, { customUrl }]) => ({
    guestKey: `id:${id}`,
    wireId: id,
    customUrl: customUrl.trim(),
  }))
  return { taken, notes }
}
