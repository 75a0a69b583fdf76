import type { LiveReader } from '../../live/store.ts'
import type { Compared } from './compare.ts'

export interface GuestChoice extends Compared {
  vmid: number
  node: string
}

/** More are found by typing. The chosen ones are always shown. */
const mostShown = 50

const collator = new Intl.Collator()
const byName = (a: GuestChoice, b: GuestChoice) => collator.compare(a.name, b.name) || a.vmid - b.vmid

/** Guests to compare with, by name: those that match the text, and the chosen ones. */
export function guestChoices(
  live: LiveReader,
  { text, chosen, own }: { text: string; chosen: readonly string[]; own: string },
): { choices: readonly GuestChoice[]; more: number } {
  const wanted = text.trim().toLowerCase()
  const all = [...live.records('guests')].flatMap(([id, { name, vmid, node, template }]) =>
    id === own || template ? [] : [{ id, name, vmid, node }],
  )
  const picked = all.filter(({ id }) => chosen.includes(id))
  const others = all
    .filter(
      ({ id, name, vmid, node }) =>
        !chosen.includes(id) && `${name} ${vmid} ${node}`.toLowerCase().includes(wanted),
    )
    .toSorted(byName)
  const room = Math.max(0, mostShown - picked.length)
  return {
    choices: [...picked, ...others.slice(0, room)].toSorted(byName),
    more: Math.max(0, others.length - room),
  }
}

/** The names of these guests. Equal names have their VMID, and their node if that is equal too. */
export function distinctNames(live: LiveReader, ids: readonly string[]): readonly Compared[] {
  const guests = ids.map((id) => ({ id, guest: live.get('guests', id) }))
  const isOnly = (text: string, write: (one: (typeof guests)[number]) => string) =>
    guests.filter((one) => write(one) === text).length === 1
  const forms: readonly ((one: (typeof guests)[number]) => string)[] = [
    ({ id, guest }) => guest?.name ?? id,
    ({ id, guest }) => (guest ? `${guest.name} (${guest.vmid})` : id),
    ({ id, guest }) => (guest ? `${guest.name} (${guest.vmid}, ${guest.node})` : id),
  ]
  return guests.map((one) => {
    const write = forms.find((form) => isOnly(form(one), form))
    return { id: one.id, name: write?.(one) ?? one.id }
  })
}
