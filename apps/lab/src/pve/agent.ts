import { isRunning } from '../estate/estate.ts'
import type { Guest } from '../estate/estate.ts'
import { ApiError } from '../api/api-error.ts'
import { agentFile } from './agent-files.ts'
import { agentInterfaces } from './agent-network.ts'
import { filesystemsOf } from './filesystems.ts'
import { guestOf } from './guests.ts'
import { hasAgent } from './qemu.ts'
import { needs } from './route.ts'
import type { Call, Route } from './route.ts'

const maybeRead = needsAgent('VM.GuestAgent.Audit')

export const agentRoutes: readonly Route[] = [
  command('get-fsinfo', ({ world }, guest) => filesystemsOf(guest, world.readings.guest(guest))),
  command('network-get-interfaces', ({ world }, guest) =>
    agentInterfaces(guest, world.readings.guest(guest)),
  ),
  command('get-osinfo', (_, guest) => osInfo(guest)),
  command('info', (_, guest) => agentInfo(guest)),
  command('get-host-name', (_, guest) => ({ 'host-name': guest.name ?? 'localhost' })),
  {
    path: '/nodes/{node}/qemu/{vmid}/agent/file-read',
    query: { file: { required: 'string' } },
    missing: needsAgent('VM.GuestAgent.FileRead'),
    async answer(call) {
      const guest = await reachAgent(call, 'file-open')
      return agentFile(guest, call.world.readings.guest(guest), call.params.file!)
    },
  },
]

/** Before agent calls had their own privileges, all of them needed VM.Monitor. */
function needsAgent(privilege: string): NonNullable<Route['missing']> {
  return (rights, params, cluster) => {
    if (cluster.release.major < 9) return needs('/vms/{vmid}', 'VM.Monitor')(rights, params, cluster)
    if (rights.has(`/vms/${params.vmid}`, 'VM.GuestAgent.Unrestricted')) return undefined
    return needs('/vms/{vmid}', privilege)(rights, params, cluster)
  }
}

function command(name: string, result: (call: Call, guest: Guest) => unknown): Route {
  return {
    path: `/nodes/{node}/qemu/{vmid}/agent/${name}`,
    missing: maybeRead,
    async answer(call) {
      return { result: result(call, await reachAgent(call, name)) }
    },
  }
}

/** PVE pings the agent before each command; for a dead agent the client waits for the whole timeout. */
async function reachAgent(call: Call, name: string): Promise<Guest> {
  const guest = guestOf(call, 'qemu')
  if (!hasAgent(guest)) throw new ApiError(500, 'No QEMU guest agent configured')
  if (!isRunning(guest)) throw new ApiError(500, `VM ${guest.vmid} is not running`)
  if (guest.agent === 'dead' || guest.status === 'paused') {
    await call.pause(call.world.settings.giveUpMs)
    throw new ApiError(500, 'QEMU guest agent is not running')
  }
  if (guest.agent === 'hang') {
    await call.pause(call.world.settings.agentHangMs)
    throw new ApiError(500, `VM ${guest.vmid} qga command 'guest-${name}' failed - got timeout`)
  }
  return guest
}

function osInfo(guest: Guest) {
  if (guest.filesystems === 'old-agent') {
    throw new ApiError(500, 'Agent error: The command guest-get-osinfo has not been found')
  }
  const { os } = guest
  const kernel = {
    'kernel-release': os.kernelRelease,
    'kernel-version': os.kernelVersion,
    machine: os.family === 'freebsd' ? 'amd64' : 'x86_64',
  }
  // The agent in FreeBSD's ports reports the output of uname and no file systems.
  if (guest.filesystems === 'unsupported') return kernel
  return {
    id: os.id,
    name: os.name,
    'pretty-name': os.prettyName,
    version: os.version,
    'version-id': os.versionId,
    ...kernel,
    ...(os.family === 'windows' && { variant: 'server', 'variant-id': 'server' }),
  }
}

function agentInfo(guest: Guest) {
  const names = [
    'guest-ping',
    'guest-info',
    'guest-get-fsinfo',
    'guest-network-get-interfaces',
    'guest-get-host-name',
  ]
  const newer = guest.filesystems === 'old-agent' ? [] : ['guest-get-osinfo', 'guest-file-open', 'guest-exec']
  return {
    version: guest.os.agentVersion || '7.2.17',
    supported_commands: [...names, ...newer].map((name) => ({
      name,
      // RHEL and its derivatives disable these.
      enabled: !(guest.os.id === 'rocky' && /file|exec/.test(name)),
      'success-response': true,
    })),
  }
}
