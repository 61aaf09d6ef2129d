import cluster from 'node:cluster';

/** The number of this process; undefined if there is only one. */
export const processNumber = cluster.worker?.id;
