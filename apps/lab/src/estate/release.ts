import type { PveMajor } from '../options.ts'

export interface Release {
  major: PveMajor
  version: string
  release: string
  repoid: string
  kernelRelease: string
  kernelVersion: string
  qemuVersion: string
  machine: string
  /** Since libpve-http-server-perl 5.2.0 the body repeats the error text as `message`. */
  errorMessageInBody: boolean
  /** The privileges that allow reading from a guest agent. */
  agentPrivilege: string
}

export const releases: Record<PveMajor, Release> = {
  7: {
    major: 7,
    version: '7.4-16',
    release: '7.4',
    repoid: '0f39f621',
    kernelRelease: '5.15.108-1-pve',
    kernelVersion: '#1 SMP PVE 5.15.108-2 (2023-07-20T10:06Z)',
    qemuVersion: '7.2.0',
    machine: 'pc-i440fx-7.2+pve0',
    errorMessageInBody: false,
    agentPrivilege: 'VM.Monitor',
  },
  8: {
    major: 8,
    version: '8.4.5',
    release: '8.4',
    repoid: '57892e8e686cb35b',
    kernelRelease: '6.8.12-11-pve',
    kernelVersion: '#1 SMP PREEMPT_DYNAMIC PMX 6.8.12-11 (2025-05-22T09:39Z)',
    qemuVersion: '9.2.0',
    machine: 'pc-i440fx-9.2+pve1',
    errorMessageInBody: false,
    agentPrivilege: 'VM.Monitor',
  },
  9: {
    major: 9,
    version: '9.2.10',
    release: '9.2',
    repoid: '43df2e01f27a1a19',
    kernelRelease: '7.0.6-2-pve',
    kernelVersion: '#1 SMP PREEMPT_DYNAMIC PMX 7.0.6-2 (2026-05-29T11:08Z)',
    qemuVersion: '11.0.0',
    machine: 'pc-i440fx-10.0+pve0',
    errorMessageInBody: true,
    agentPrivilege: 'VM.GuestAgent.Audit',
  },
}
