import type { Guest } from '@pulse/contract'

export const guestName = ({ name, vmid }: Pick<Guest, 'name' | 'vmid'>): string => name || `Guest ${vmid}`
