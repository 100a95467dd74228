/** Version of the service and of its API description. */
export const version = '0.1.0';
