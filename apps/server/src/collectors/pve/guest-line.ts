import type { Guest, SampledGuestField } from '@pulse/contract'
import * as z from 'zod/mini'
import { isNodeName, toBytes, toFlag, toNumber, toText, toUptime } from '../proxmox/schema.ts'

type Identity = 'vmid' | 'type' | 'node'
type Line = NonNullable<ReturnType<typeof readGuestLine>>
export type PveGuest = Pick<Line, Identity> & Partial<Omit<Line, Identity>>

/** Parses a line for a guest. A schema would take ten times as long for ten thousand lines every 10 s. */
export function readGuestLine(line: Readonly<Record<string, unknown>>) {
  const vmid = toNumber(line['vmid'])
  const { type, node } = line
  if (vmid === undefined || !Number.isInteger(vmid) || vmid < 1 || vmid > 999_999_999) return undefined
  if ((type !== 'qemu' && type !== 'lxc') || !isNodeName(node)) return undefined
  return {
    vmid,
    type: type as Guest['type'],
    node,
    name: toText(line['name']),
    status: toText(line['status']),
    template: toFlag(line['template']),
    cpu: toNumber(line['cpu']),
    maxcpu: toBytes(line['maxcpu']),
    mem: toBytes(line['mem']),
    /** the host's memory use for the VM */
    memhost: toBytes(line['memhost']),
    maxmem: toBytes(line['maxmem']),
    disk: toBytes(line['disk']),
    maxdisk: toBytes(line['maxdisk']),
    netin: toBytes(line['netin']),
    netout: toBytes(line['netout']),
    diskread: toBytes(line['diskread']),
    diskwrite: toBytes(line['diskwrite']),
    uptime: toUptime(line['uptime']),
    lock: toText(line['lock']),
    tags: toText(line['tags']),
  }
}

/** Gauges that a running guest's record takes directly from the listing. */
export const listedGauges = ({ cpu }: PveGuest): Partial<Pick<Guest, 'cpu' | SampledGuestField>> => ({
  ...(cpu !== undefined && { cpu: fractionOf(cpu) }),
})

export const fractionOf = (cpu: number): number => Math.min(1, Math.max(0, cpu))

/** A line as part of another answer. */
export const PveGuest: z.ZodMiniType<PveGuest> = z.pipe(
  z.record(z.string(), z.unknown()),
  z.transform((line, { issues }) => {
    const guest = readGuestLine(line)
    if (guest) return guest
    issues.push({ code: 'custom', message: 'This is no guest.', input: line })
    return z.NEVER
  }),
)

/** Whether both lines have the same values. */
export const isSameLine = (a: PveGuest, b: PveGuest): boolean =>
  a.cpu === b.cpu &&
  a.mem === b.mem &&
  a.uptime === b.uptime &&
  a.netin === b.netin &&
  a.netout === b.netout &&
  a.diskread === b.diskread &&
  a.diskwrite === b.diskwrite &&
  a.disk === b.disk &&
  a.memhost === b.memhost &&
  a.status === b.status &&
  a.node === b.node &&
  a.lock === b.lock &&
  a.tags === b.tags &&
  a.name === b.name &&
  a.maxmem === b.maxmem &&
  a.maxdisk === b.maxdisk &&
  a.maxcpu === b.maxcpu &&
  a.template === b.template &&
  a.type === b.type &&
  a.vmid === b.vmid
