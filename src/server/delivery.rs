//! The guarantees of delivery of Godot and of ENet.

use crate::godot::multiplayer::transport::TransferMode;
use crate::transport::enet::Delivery;

/// Returns the transfer mode of a packet that arrived through ENet.
pub const fn transfer_mode(delivery: Delivery) -> TransferMode {
    match delivery {
        Delivery::Reliable => TransferMode::Reliable,
        Delivery::Unreliable => TransferMode::UnreliableOrdered,
        Delivery::Unsequenced => TransferMode::Unreliable,
    }
}

/// Returns the delivery guarantee with which ENet sends a packet of this transfer mode.
pub const fn delivery(mode: TransferMode) -> Delivery {
    match mode {
        TransferMode::Reliable => Delivery::Reliable,
        TransferMode::UnreliableOrdered => Delivery::Unreliable,
        TransferMode::Unreliable => Delivery::Unsequenced,
    }
}
