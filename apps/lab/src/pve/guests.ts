import type { Guest, GuestKind } from '../estate/estate.ts'
import { hash } from '../random.ts'
import { ApiError } from '../api/api-error.ts'
import { memberOf } from './member.ts'
import { mayAudit } from './resources.ts'
import type { Call } from './route.ts'

const folders = { qemu: 'qemu-server', lxc: 'lxc' } as const

/** The guests of a kind on the member named in the path that the caller may see. */
export function guestsOn(call: Call, kind: GuestKind): Guest[] {
  const node = memberOf(call)
  return [...call.cluster.guests.values()].filter(
    (guest) => guest.node === node && guest.kind === kind && mayAudit(call.rights, guest),
  )
}

/** A member does not know guests of other members. */
export function guestOf(call: Call, kind: GuestKind): Guest {
  const node = memberOf(call)
  const guest = call.cluster.guests.get(Number(call.params.vmid))
  if (guest?.node === node && guest.kind === kind) return guest
  throw new ApiError(
    500,
    `Configuration file 'nodes/${node.name}/${folders[kind]}/${call.params.vmid}.conf' does not exist`,
  )
}

export const processId = (guest: Guest): number =>
  1000 + (hash(`pid/${guest.seed}/${guest.startedAtMs}`) % 4_000_000)

export const digestOf = (guest: Guest): string =>
  [0, 1, 2, 3, 4]
    .map((part) => hash(`${guest.seed}/${part}/${guest.name}`).toString(16).padStart(8, '0'))
    .join('')

export function macOf(guest: Guest, index = 0): string {
  const value = hash(`mac/${guest.node.cluster.name}/${guest.vmid}/${index}`)
  const tail = [value >>> 16, value >>> 8, value].map((byte) => (byte & 0xff).toString(16).padStart(2, '0'))
  return ['bc', '24', '11', ...tail].join(':')
}

/** Addresses that stay the same when the guest migrates. */
export function addressOf(guest: Guest, index = 0): string {
  return `10.${20 + index}.${(guest.vmid >> 8) & 0xff}.${guest.vmid & 0xff}`
}

export function linkLocalOf(guest: Guest, index = 0): string {
  const [, , , first, second, third] = macOf(guest, index).split(':')
  return `fe80::be24:11ff:fe${first}:${second}${third}`
}

/** Pressure stall figures, in every guest list since PVE 9. */
export function pressureOf(guest: Guest, cpu: number): Record<string, number> {
  const some = cpu > 0.5 ? Math.round((cpu - 0.5) * 1000) / 100 : 0
  return {
    pressurecpusome: some,
    ...(guest.kind === 'qemu' && { pressurecpufull: 0 }),
    pressureiosome: 0,
    pressureiofull: 0,
    pressurememorysome: 0,
    pressurememoryfull: 0,
  }
}
