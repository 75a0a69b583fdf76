export * from './builders.ts'
export * from './clock.ts'
export * from './meta.ts'
export * from './security.ts'
