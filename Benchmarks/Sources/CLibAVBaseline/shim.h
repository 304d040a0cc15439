/* SPDX-License-Identifier: Apache-2.0
 * Nothing for Swift: there for the flags that the C baseline is built and linked with. */
