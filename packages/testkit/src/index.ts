export * from './builders.ts'
export * from './clock.ts'
