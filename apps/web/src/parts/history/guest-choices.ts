import type { LiveReader } from '../../live/store.ts'
import type { Compared } from './compare.ts'

export interface GuestChoice extends Compared {
  vmid: number
  node: string
}

/** More are found by typing. */
const mostShown = 50

/** Guests to compare with, by name: those that match the text, and the chosen ones. */
export function guestChoices(
  live: LiveReader,
  { text, chosen, own }: { text: string; chosen: readonly string[]; own: string },
): { choices: readonly GuestChoice[]; more: number } {
  const wanted = text.trim().toLowerCase()
  const all = [...live.records('guests')].flatMap(([id, { name, vmid, node, template }]) =>
    id === own || template ? [] : [{ id, name, vmid, node }],
  )
  const matching = all
    .filter(({ id, name, vmid, node }) =>
      chosen.includes(id) ? true : `${name} ${vmid} ${node}`.toLowerCase().includes(wanted),
    )
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.vmid - b.vmid)
  return { choices: matching.slice(0, mostShown), more: Math.max(0, matching.length - mostShown) }
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
